"""What a generative model is to this role: a prompt in, a checked answer with its cost out, or a typed error.

Rules: instructions and data are apart, and only the first are ours. An answer is what its reader made of it; what it
cannot read is never passed on, filled in or guessed. Every answer says what it took. It does not know providers,
prompts or what an answer means.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from shared.domain.errors import FailedPrecondition, UpstreamUnavailable

T = TypeVar("T")
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Content: TypeAlias = "str | list[dict[str, Any]]"
Messages: TypeAlias = list[dict[str, Any]]
"""Each with a role and a content: a text, or parts of text and images."""

RETRY_AFTER_SECONDS = 5.0
"""Advice to callers when the provider gives none. Chosen, untested."""


class Purpose(StrEnum):
    """What a call is for; a label of the metrics."""

    RERANK = "rerank"
    NARRATION = "narration"
    CONVERSATION = "conversation"
    CONTRADICTION = "contradiction"
    EXTRACTION = "extraction"
    IMPORTANCE = "importance"
    SUMMARY = "summary"
    DOCUMENT = "document"
    AGENT = "agent"


class Cause(StrEnum):
    """Why a model gave no answer, in the words of the degradation codes that callers show."""

    RATE_LIMITED = "upstream_rate_limited"
    TIMEOUT = "upstream_timeout"
    UNAVAILABLE = "upstream_unavailable"


@dataclass(frozen=True, slots=True)
class Prompt:
    """Our instructions, and the data they are about: a text in which nothing is an instruction.

    `draft` and `correction` go together: an earlier answer, and what is to be mended in it. `images` are data URLs,
    shown behind the data to a model that sees.
    """

    instructions: str
    data: str
    draft: str = ""
    correction: str = ""
    images: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Limits:
    """How long an answer may take and what it may cost, all calls together, prompts included. None: as the policy."""

    deadline_seconds: float | None = None
    max_total_tokens: int | None = None


NO_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Usage:
    """What answering took: tokens as the provider counted them, calls that were answered, milliseconds."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    milliseconds: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            self.milliseconds + other.milliseconds,
        )

    @property
    def total_tokens(self) -> int:
        """Return the tokens that are paid for."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What was read from a model's answer, and what it took."""

    value: T
    usage: Usage


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with an answer, in words that help a model to mend it."""

    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer as it came, or a piece of a streamed one.

    `finish` is why it ended (`stop`, `length`, `content_filter`, or what the provider says; empty: not yet, or not
    told); `declined` is set where the model itself says that it will not answer.
    """

    text: str
    finish: str
    usage: Usage
    declined: bool = False


class Transport(Protocol):
    """A provider's chat API for one model.

    Both methods raise UpstreamUnavailable MODEL_UNAVAILABLE, FailedPrecondition MODEL_REFUSED, or NotACompletion.
    """

    @property
    def model(self) -> str:
        """Return the model's name."""
        ...

    async def ask(
        self, purpose: Purpose, messages: Messages, max_tokens: int, schema: Mapping[str, Any] | None
    ) -> Reply:
        """Get one answer; with a schema, in JSON as far as the provider can promise it."""
        ...

    def stream(
        self, purpose: Purpose, messages: Messages, max_tokens: int
    ) -> AbstractAsyncContextManager[AsyncIterator[Reply]]:
        """Open a stream of the pieces of one answer."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


class NotACompletion(ValueError):
    """What came over HTTP is not a chat completion."""


class ChatModel(Protocol):
    """A generative model; safe to call concurrently.

    Every method raises UpstreamUnavailable MODEL_UNAVAILABLE or MODEL_ANSWER_INVALID, Overloaded MODEL_OVERLOADED,
    FailedPrecondition MODEL_REFUSED or, before a call that may go over its limit, COST_CEILING.
    """

    @property
    def name(self) -> str:
        """Return the model's name."""
        ...

    async def complete_json(
        self,
        purpose: Purpose,
        prompt: Prompt,
        schema: Mapping[str, Any],
        read: Callable[[Json], T | Wrong],
        limits: Limits = NO_LIMITS,
    ) -> Answer[T]:
        """Ask for JSON until `read` accepts it, a bounded number of times."""
        ...

    async def complete_text(self, purpose: Purpose, prompt: Prompt, limits: Limits = NO_LIMITS) -> Answer[str]:
        """Ask for text."""
        ...

    def stream_text(
        self, purpose: Purpose, prompt: Prompt, limits: Limits = NO_LIMITS
    ) -> AsyncGenerator[str | Answer[str], None]:
        """Ask for text and yield it as it comes; last comes the answer as a whole."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def unavailable(
    message: str,
    cause: Cause = Cause.UNAVAILABLE,
    *,
    metadata: Mapping[str, str] | None = None,
    retry_after_seconds: float = RETRY_AFTER_SECONDS,
) -> UpstreamUnavailable:
    """Return the error for a model that does not answer."""
    about = {"cause": cause.value, **(metadata or {})}
    return UpstreamUnavailable("MODEL_UNAVAILABLE", message, metadata=about, retry_after_seconds=retry_after_seconds)


def invalid(messages: tuple[str, ...], attempts: int) -> UpstreamUnavailable:
    """Return the error for a model whose answers could not be read."""
    about = {"cause": Cause.UNAVAILABLE.value, "attempts": str(attempts), "found": "; ".join(messages)}
    message = f"the model gave no usable answer in {attempts} attempts: {about['found']}"
    return UpstreamUnavailable("MODEL_ANSWER_INVALID", message, metadata=about, retry_after_seconds=RETRY_AFTER_SECONDS)


def refused(message: str, metadata: Mapping[str, str] | None = None) -> FailedPrecondition:
    """Return the error for a model that declines these texts, now and on every repetition."""
    return FailedPrecondition("MODEL_REFUSED", message, metadata=metadata)
