"""One generative model, asked until its answer can be read: within a deadline, a queue and a number of attempts.

Rules: nothing of an answer is believed before its reader accepts it; one that is refused is asked for again with the
reader's words, a bounded number of times, then given up. A stream is not asked for again once it has begun. Every call
is counted, useful or not; one that may cost more than its caller allows is not made. It does not know the provider
(Transport) nor what is asked.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from services.judge import accounting
from services.judge.answer_text import NotJson, Unthinking, parse, unwrapped
from services.judge.prompts import AGAIN
from services.judge.provider import (
    NO_LIMITS,
    Answer,
    Cause,
    Content,
    Json,
    Limits,
    Messages,
    NotACompletion,
    Prompt,
    Purpose,
    Reply,
    Transport,
    Usage,
    Wrong,
    invalid,
    refused,
    unavailable,
)
from shared.domain.errors import FailedPrecondition, UpstreamUnavailable
from shared.rpc.admission import Admission

T = TypeVar("T")

REPEATED_CHARS = 4_000
"""Of a wrong answer that goes back to the model. Chosen, untested."""

MAX_TEXT_CHARS = 16_000
"""Of an answer in text, whatever the provider makes of the limit of tokens. Chosen, untested."""

BYTES_PER_TOKEN = 3
"""Of UTF-8, to estimate a prompt before it is counted: English has about 4, Chinese 3 to 5. Chosen, untested."""

MIN_ANSWER_TOKENS = 64
"""A call is not worth making for a shorter answer. Chosen, untested."""

_CUT_OFF = Wrong(("the answer was cut off at its limit of tokens: answer more briefly",))
_TOO_LONG = Wrong((f"the answer has more than {MAX_TEXT_CHARS} characters",))
_EMPTY = Wrong(("the answer is empty",))


@dataclass(frozen=True, slots=True)
class ChatPolicy:
    """How an answer is got. `reasks` are further calls after an answer that cannot be read. Chosen, untested."""

    reasks: int = 2
    deadline_seconds: float = 40.0
    max_tokens: int = 1024
    concurrent_calls: int = 8
    waiting_calls: int = 16


class Chat:
    """Implements ChatModel over any Transport."""

    def __init__(self, transport: Transport, policy: ChatPolicy) -> None:
        self._transport = transport
        self._policy = policy
        self._admission = Admission(running=policy.concurrent_calls, waiting=policy.waiting_calls)
        self._ready = True

    @property
    def name(self) -> str:
        """Return the model's name."""
        return self._transport.model

    def ready(self) -> bool:
        """Return whether the last call that ended was answered."""
        return self._ready

    async def complete_json(
        self,
        purpose: Purpose,
        prompt: Prompt,
        schema: Mapping[str, Any],
        read: Callable[[Json], T | Wrong],
        limits: Limits = NO_LIMITS,
    ) -> Answer[T]:
        """Ask for JSON until `read` accepts it. Raises: as ChatModel."""

        def interpret(text: str) -> T | Wrong:
            try:
                value = parse(text)
            except NotJson as error:
                return Wrong((str(error),))
            return read(value)

        return await self._converse(purpose, prompt, schema, interpret, limits)

    async def complete_text(self, purpose: Purpose, prompt: Prompt, limits: Limits = NO_LIMITS) -> Answer[str]:
        """Ask for text until there is some and it is whole. Raises: as ChatModel."""

        def interpret(text: str) -> str | Wrong:
            said = unwrapped(text)
            return _TOO_LONG if len(said) > MAX_TEXT_CHARS else said or _EMPTY

        return await self._converse(purpose, prompt, None, interpret, limits)

    async def stream_text(
        self, purpose: Purpose, prompt: Prompt, limits: Limits = NO_LIMITS
    ) -> AsyncGenerator[str | Answer[str], None]:
        """Ask once and yield the text as it comes, then the whole answer. Raises: as ChatModel."""
        started, until = time.perf_counter(), self._until(limits)
        unthinking, usage, text, finish = Unthinking(), Usage(calls=1), "", ""
        async with AsyncExitStack() as stack:
            with self._typed(purpose):
                async with asyncio.timeout_at(until):
                    await stack.enter_async_context(self._admission.slot())
                    messages = _messages(prompt)
                    opening = self._transport.stream(purpose, messages, self._tokens(messages, limits, usage))
                    replies = await stack.enter_async_context(opening)
            while True:
                with self._typed(purpose):
                    async with asyncio.timeout_at(until):
                        reply = await anext(replies, None)
                    if reply is None:
                        break
                    _refuse_declined(reply)
                usage, finish = usage + reply.usage, finish or reply.finish
                piece = unthinking.feed(reply.text)
                text += piece
                if len(text) > MAX_TEXT_CHARS:
                    raise invalid(_TOO_LONG.messages, 1)
                if piece:
                    yield piece
        rest = unthinking.rest()
        text += rest
        if rest:
            yield rest
        usage = replace(usage, milliseconds=_milliseconds_since(started))
        accounting.SECONDS.labels(self.name, purpose.value).observe(usage.milliseconds / 1000)
        whole = unwrapped(text)
        wrong = _CUT_OFF if finish == "length" else None if whole else _EMPTY
        accounting.count(self.name, purpose, "answered" if finish and not wrong else "invalid", usage)
        if not finish:
            raise unavailable("the model's stream broke off")
        if wrong is not None:
            raise invalid(wrong.messages, 1)
        yield Answer(whole, usage)

    async def close(self) -> None:
        """Close the connections."""
        await self._transport.close()

    async def _converse(
        self,
        purpose: Purpose,
        prompt: Prompt,
        schema: Mapping[str, Any] | None,
        interpret: Callable[[str], T | Wrong],
        limits: Limits,
    ) -> Answer[T]:
        started, usage, wrong = time.perf_counter(), Usage(), Wrong(())
        messages = _messages(prompt)
        with self._typed(purpose):
            async with asyncio.timeout_at(self._until(limits)), self._admission.slot():
                for _ in range(1 + self._policy.reasks):
                    tokens = self._tokens(messages, limits, usage)
                    with accounting.SECONDS.labels(self.name, purpose.value).time():
                        reply = await self._transport.ask(purpose, messages, tokens, schema)
                    usage += reply.usage
                    _refuse_declined(reply)
                    outcome = _CUT_OFF if reply.finish == "length" else interpret(reply.text)
                    readable = not isinstance(outcome, Wrong)
                    accounting.count(self.name, purpose, "answered" if readable else "invalid", reply.usage)
                    if not isinstance(outcome, Wrong):
                        return Answer(outcome, replace(usage, milliseconds=_milliseconds_since(started)))
                    wrong = outcome
                    messages = [*_messages(prompt), *_again(reply.text, wrong)]
        raise invalid(wrong.messages, 1 + self._policy.reasks)

    def _until(self, limits: Limits) -> float:
        asked_seconds = limits.deadline_seconds or self._policy.deadline_seconds
        return asyncio.get_running_loop().time() + min(asked_seconds, self._policy.deadline_seconds)

    def _tokens(self, messages: Messages, limits: Limits, spent: Usage) -> int:
        """Return how many tokens the next answer may have.

        Raises: FailedPrecondition COST_CEILING where the call may go over the limit.
        """
        if limits.max_total_tokens is None:
            return self._policy.max_tokens
        prompt_tokens = sum(len(_written(message["content"])) for message in messages) // BYTES_PER_TOKEN
        left = limits.max_total_tokens - spent.total_tokens - prompt_tokens
        if left < min(MIN_ANSWER_TOKENS, self._policy.max_tokens):
            raise FailedPrecondition(
                "COST_CEILING",
                f"about {prompt_tokens} tokens of prompt leave no room for an answer",
                metadata={"max_total_tokens": str(limits.max_total_tokens), "spent_tokens": str(spent.total_tokens)},
            )
        return min(left, self._policy.max_tokens)

    @contextmanager
    def _typed(self, purpose: Purpose) -> Iterator[None]:
        """Turn a deadline that passed and a body that is no completion into our errors; remember how it went."""
        try:
            yield
            self._ready = True
        except UpstreamUnavailable:
            self._ready = False
            raise
        except TimeoutError as error:
            self._ready = False
            accounting.count(self.name, purpose, "timeout")
            raise unavailable("the model did not answer in time", Cause.TIMEOUT) from error
        except NotACompletion as error:
            self._ready = False
            accounting.count(self.name, purpose, "invalid")
            raise invalid((str(error),), 1) from error


def _messages(prompt: Prompt) -> Messages:
    shown: Content = prompt.data
    if prompt.images:
        images = [{"type": "image_url", "image_url": {"url": url}} for url in prompt.images]
        shown = [{"type": "text", "text": prompt.data}, *images]
    messages: Messages = [{"role": "system", "content": prompt.instructions}, {"role": "user", "content": shown}]
    if prompt.correction:
        messages += [
            {"role": "assistant", "content": prompt.draft[:REPEATED_CHARS]},
            {"role": "user", "content": prompt.correction},
        ]
    return messages


def _written(content: Content) -> bytes:
    """Return the text of a message; what images cost only the provider knows."""
    parts = [content] if isinstance(content, str) else [str(part.get("text", "")) for part in content]
    return "".join(parts).encode()


def _again(text: str, wrong: Wrong) -> Messages:
    """Return what follows a wrong answer: the answer itself, and what is wrong with it."""
    listed = "\n".join(f"- {message}" for message in wrong.messages)
    return [
        {"role": "assistant", "content": text[:REPEATED_CHARS]},
        {"role": "user", "content": AGAIN.text.replace("{messages}", listed)},
    ]


def _refuse_declined(reply: Reply) -> None:
    """Raise MODEL_REFUSED where the model, or a filter before or behind it, will not answer."""
    if reply.declined or reply.finish == "content_filter":
        raise refused("the model declined to answer", {"finish": reply.finish})


def _milliseconds_since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
