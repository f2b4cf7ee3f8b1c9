"""Chat completions of an OpenAI-compatible API: DashScope by default, any other by its base URL.

Rules: connection errors, 408, 409, 429 and 5xx are tried again, a bounded number of times; a short Retry-After is
waited for, a long one is passed on at once; a stream is tried again until it begins, not later. A redirect is not
followed: the key would go along. Neither prompts nor the provider's own words appear in an error. What one provider or
model wants otherwise than another is in `Quirks`. It does not know what is asked, and does not read answers.
Source: the API reference of OpenAI's chat completions and of its DashScope compatible mode.
"""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import httpx2
import openai
import stamina
from openai.types.chat import ChatCompletionChunk

from services.judge import accounting
from services.judge.provider import (
    RETRY_AFTER_SECONDS,
    Cause,
    Messages,
    NotACompletion,
    Purpose,
    Reply,
    refused,
    unavailable,
)
from services.judge.reply import piece_of, reply_of
from shared.config import StructuredOutput, TokensParameter
from shared.domain.errors import CandorError

RETRIED_STATUSES = frozenset({408, 409, 429})
"""Beside every 5xx. 409 is a lock timeout in this API."""

REFUSED_STATUSES = frozenset({400, 413, 422})
"""Refusals that may be about a text: too long for the model, or stopped by its content filter."""

OUTCOMES = {429: "rate_limited", 408: "timeout", 504: "timeout"} | dict.fromkeys(REFUSED_STATUSES, "refused")
CAUSES = {"rate_limited": Cause.RATE_LIMITED, "timeout": Cause.TIMEOUT}


@dataclass(frozen=True, slots=True)
class Quirks:
    """What a provider or a model wants otherwise than others."""

    structured_output: StructuredOutput = StructuredOutput.JSON_OBJECT
    temperature: float | None = 0.0
    tokens_parameter: TokensParameter = TokensParameter.MAX_COMPLETION_TOKENS
    extra_body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CallPolicy:
    """How one call is made. All numbers chosen, untested."""

    attempts: int = 3
    timeout_seconds: float = 20.0
    first_wait_seconds: float = 0.25
    longest_wait_seconds: float = 4.0


class OpenAIProvider:
    """Asks one model of the API."""

    def __init__(self, *, base_url: str, api_key: str, model: str, quirks: Quirks, policy: CallPolicy) -> None:
        self._model = model
        self._quirks = quirks
        self._policy = policy
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key,
            timeout=policy.timeout_seconds,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpx2Client(follow_redirects=False, timeout=policy.timeout_seconds),
        )

    @property
    def model(self) -> str:
        """Return the model's name."""
        return self._model

    async def ask(
        self, purpose: Purpose, messages: Messages, max_tokens: int, schema: Mapping[str, Any] | None
    ) -> Reply:
        """Get one answer; with a schema, in JSON as far as the provider can promise it. Raises: as Transport."""
        create = self._client.chat.completions.with_raw_response.create
        options = {} if schema is None else self._response_format(purpose, schema)
        with _typed():
            response = await self._retried(purpose, create, messages, max_tokens, options)
        return reply_of(response.content)

    @asynccontextmanager
    async def stream(
        self, purpose: Purpose, messages: Messages, max_tokens: int
    ) -> AsyncIterator[AsyncIterator[Reply]]:
        """Open a stream of the pieces of one answer. Raises: as Transport."""
        options = {"stream": True, "stream_options": {"include_usage": True}}
        with _typed():
            opened = await self._retried(purpose, self._client.chat.completions.create, messages, max_tokens, options)
        async with opened as chunks, aclosing(_pieces(aiter(chunks))) as pieces:
            yield pieces

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _retried(
        self,
        purpose: Purpose,
        create: Callable[..., Any],
        messages: Messages,
        max_tokens: int,
        options: Mapping[str, Any],
    ) -> Any:
        """Make one call, again where that may help. The caller bounds the time of all attempts together."""
        quirks, policy = self._quirks, self._policy
        body: dict[str, Any] = {"model": self._model, "messages": messages, **options}
        if quirks.temperature is not None:
            body["temperature"] = quirks.temperature
        if quirks.tokens_parameter is not TokensParameter.NONE:
            body[quirks.tokens_parameter.value] = max_tokens
        async for attempt in stamina.retry_context(
            on=partial(self._wait_before_retry, purpose),
            attempts=policy.attempts,
            timeout=None,
            wait_initial=policy.first_wait_seconds,
            wait_max=policy.longest_wait_seconds,
        ):
            with attempt:
                return await create(**body, extra_body=dict(quirks.extra_body))
        raise AssertionError("stamina ends by an answer or an error")

    def _wait_before_retry(self, purpose: Purpose, error: Exception) -> bool | float:
        """Count a call that failed; return whether to try again, or the seconds the provider asks to wait before."""
        if isinstance(error, openai.APIStatusError):
            accounting.count(self._model, purpose, _outcome(error.status_code))
            if error.status_code not in RETRIED_STATUSES and error.status_code < 500:
                return False
            asked_seconds = _retry_after_seconds(error)
            if asked_seconds is None:
                return True
            return asked_seconds <= self._policy.longest_wait_seconds and asked_seconds
        late = isinstance(error, openai.APITimeoutError)
        accounting.count(self._model, purpose, "timeout" if late else "unavailable")
        return isinstance(error, openai.APIConnectionError)

    def _response_format(self, purpose: Purpose, schema: Mapping[str, Any]) -> dict[str, Any]:
        match self._quirks.structured_output:
            case StructuredOutput.SCHEMA:
                named = {"name": purpose.value, "strict": True, "schema": dict(schema)}
                return {"response_format": {"type": "json_schema", "json_schema": named}}
            case StructuredOutput.JSON_OBJECT:
                return {"response_format": {"type": "json_object"}}
            case StructuredOutput.NONE:
                return {}


async def _pieces(chunks: AsyncIterator[ChatCompletionChunk]) -> AsyncGenerator[Reply, None]:
    while True:
        with _typed():
            try:
                chunk: object = await anext(chunks, None)
            except json.JSONDecodeError as error:
                raise NotACompletion("a chunk is not JSON") from error
        if chunk is None:
            return
        if not isinstance(chunk, ChatCompletionChunk):
            raise NotACompletion("a chunk is not an object")
        yield piece_of(chunk.to_dict())


@contextmanager
def _typed() -> Iterator[None]:
    """Turn what the client raises into our errors."""
    try:
        yield
    except openai.APITimeoutError as error:
        raise unavailable("the model did not answer in time", Cause.TIMEOUT) from error
    except openai.APIStatusError as error:
        raise _status_error(error) from error
    except (openai.APIError, httpx2.HTTPError) as error:
        raise unavailable("the model's provider cannot be reached, or broke off") from error


def _outcome(status: int) -> str:
    return OUTCOMES.get(status, "unavailable")


def _retry_after_seconds(error: openai.APIStatusError) -> float | None:
    """Return the seconds of a Retry-After header; a date or nonsense counts as none."""
    try:
        seconds = float(error.response.headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _status_error(error: openai.APIStatusError) -> CandorError:
    """Return our error for a status that retries did not mend."""
    status = error.status_code
    metadata = {"status": str(status)}
    if status in REFUSED_STATUSES:
        return refused(f"the model's provider refused the request with status {status}", metadata)
    return unavailable(
        f"the model's provider answered with status {status}",
        CAUSES.get(_outcome(status), Cause.UNAVAILABLE),
        metadata=metadata,
        retry_after_seconds=_retry_after_seconds(error) or RETRY_AFTER_SECONDS,
    )
