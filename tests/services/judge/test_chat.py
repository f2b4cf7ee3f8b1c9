"""A model that lies, stalls or babbles: each misbehaviour ends in its named error, and nothing is invented."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest
from prometheus_client import REGISTRY

from services.judge.chat import Chat, ChatPolicy
from services.judge.openai_provider import CallPolicy, Quirks
from services.judge.provider import Answer, Json, Limits, Prompt, Purpose, Wrong
from shared.config import StructuredOutput, TokensParameter
from shared.domain.errors import CandorError, FailedPrecondition, Overloaded, UpstreamUnavailable
from tests.openai_server import (
    CHAT,
    PROMPT_TOKENS,
    RETRY_AFTER_SECONDS,
    Behaviour,
    OpenAIServer,
    closed_port,
    completion_tokens_of,
)
from tests.services.judge.model import MODEL, chat, said

pytestmark = pytest.mark.anyio

PROMPT = Prompt("Score the candidates.", "the data")
GOOD = '{"1": 0.25, "2": 0.75}'
SCHEMA = {"type": "object", "properties": {"1": {"type": "number"}, "2": {"type": "number"}}}
ONE_REASK = ChatPolicy(reasks=1)


def read(value: Json) -> list[Json] | Wrong:
    """Accept numbers under the keys 1 and 2 and nothing else."""
    if not isinstance(value, dict) or set(value) != {"1", "2"}:
        return Wrong(("the keys must be 1 and 2",))
    if any(isinstance(score, bool) or not isinstance(score, int | float) for score in value.values()):
        return Wrong(("every value must be a number",))
    return list(value.values())


@pytest.fixture
async def model(server: OpenAIServer) -> AsyncIterator[Chat]:
    server.say_ever(GOOD)
    model = chat(server)
    yield model
    await model.close()


async def ask(model: Chat, limits: Limits = Limits()) -> Answer[list[Json]]:  # noqa: B008  # frozen
    return await model.complete_json(Purpose.RERANK, PROMPT, SCHEMA, read, limits)


async def failure(model: Chat, limits: Limits = Limits()) -> CandorError:  # noqa: B008  # frozen
    with pytest.raises(CandorError) as caught:
        await ask(model, limits)
    return caught.value


async def test_an_answer_comes_with_what_it_took(server: OpenAIServer, model: Chat) -> None:
    answer = await ask(model)
    assert answer.value == [0.25, 0.75]
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (PROMPT_TOKENS, completion_tokens_of(GOOD))
    assert answer.usage.calls == 1
    body = server.bodies()[0]
    assert said(body) == [("system", PROMPT.instructions), ("user", PROMPT.data)]
    assert body | {"messages": 0} == {
        "messages": 0,
        "model": MODEL,
        "temperature": 0.0,
        "max_completion_tokens": 1024,
        "response_format": {"type": "json_object"},
    }
    assert server.received[0].headers["authorization"] == "Bearer a-key"


async def test_quirks_are_settings(server: OpenAIServer) -> None:
    server.say_ever(GOOD)
    quirks = Quirks(StructuredOutput.SCHEMA, None, TokensParameter.MAX_TOKENS, {"enable_thinking": False})
    model = chat(server, quirks=quirks)
    await ask(model)
    body = server.bodies()[0]
    assert body["enable_thinking"] is False
    assert body["max_tokens"] == 1024
    assert body["response_format"]["json_schema"] == {"name": "rerank", "strict": True, "schema": SCHEMA}
    assert not {"temperature", "max_completion_tokens"} & body.keys()
    await model.close()

    bare = chat(server, quirks=Quirks(StructuredOutput.NONE, tokens_parameter=TokensParameter.NONE))
    await ask(bare)
    assert server.bodies()[1].keys() == {"model", "messages", "temperature"}
    await bare.close()


@pytest.mark.parametrize("behaviour", [Behaviour.FENCED, Behaviour.THINKING, Behaviour.THINKING_UNOPENED])
async def test_wrapping_is_taken_off(server: OpenAIServer, model: Chat, behaviour: Behaviour) -> None:
    server.next(CHAT, behaviour)
    assert (await ask(model)).value == [0.25, 0.75]
    assert len(server.received) == 1


UNREADABLE = [
    (Behaviour.PROSE, "not one JSON value"),
    (Behaviour.TRUNCATED, "cut off"),
    (Behaviour.EMPTY_CONTENT, "empty"),
    (Behaviour.THINKING_UNCLOSED, "empty"),
    (Behaviour.EMPTY_JSON, "keys must be"),
    (Behaviour.MISSING_KEY, "keys must be"),
    (Behaviour.WRONG_KEYS, "keys must be"),
    (Behaviour.SCHEMA_ECHO, "keys must be"),
    (Behaviour.REPEATED_KEY, "occurs twice"),
    (Behaviour.FALSE_AS_TEXT, "must be a number"),
    (Behaviour.TRUE_VALUES, "must be a number"),
    (Behaviour.NOT_A_NUMBER, "NaN is not JSON"),
    (Behaviour.INFINITE_NUMBER, "too large"),
]


@pytest.mark.parametrize(("behaviour", "message"), UNREADABLE)
async def test_an_unreadable_answer_is_asked_for_again_with_what_is_wrong(
    server: OpenAIServer, model: Chat, behaviour: Behaviour, message: str
) -> None:
    server.next(CHAT, behaviour)
    answer = await ask(model)
    assert answer.value == [0.25, 0.75]
    assert answer.usage.calls == 2
    first, second = server.bodies()
    assert said(second)[:2] == said(first)
    (_, repeated), (role, words) = said(second)[2:]
    assert role == "user"
    assert message in words
    assert message not in repeated
    assert "{messages}" not in words


@pytest.mark.parametrize(("behaviour", "message"), UNREADABLE)
async def test_a_model_that_stays_unreadable_is_given_up(
    server: OpenAIServer, model: Chat, behaviour: Behaviour, message: str
) -> None:
    server.next(CHAT, *[behaviour] * 9)
    error = await failure(model)
    assert isinstance(error, UpstreamUnavailable)
    assert error.reason == "MODEL_ANSWER_INVALID"
    assert message in error.metadata["found"]
    assert error.metadata["attempts"] == "3"
    assert len(server.received) == 3


@pytest.mark.parametrize(
    "behaviour", [Behaviour.EMPTY_OBJECT, Behaviour.NOT_JSON, Behaviour.NO_CHOICES, Behaviour.LIST_CONTENT]
)
async def test_what_is_no_completion_at_all_is_an_error(
    server: OpenAIServer, model: Chat, behaviour: Behaviour
) -> None:
    server.next(CHAT, behaviour)
    assert (await failure(model)).reason == "MODEL_ANSWER_INVALID"


@pytest.mark.parametrize(
    "behaviour",
    [Behaviour.RATE_LIMITED, Behaviour.SERVER_ERROR, Behaviour.BAD_GATEWAY_HTML, Behaviour.CUT_STREAM],
)
async def test_a_passing_failure_is_tried_again(server: OpenAIServer, model: Chat, behaviour: Behaviour) -> None:
    server.next(CHAT, behaviour, behaviour)
    answer = await ask(model)
    assert answer.value == [0.25, 0.75]
    assert (answer.usage.calls, len(server.received)) == (1, 3)


@pytest.mark.parametrize(
    ("behaviour", "cause", "attempts"),
    [
        (Behaviour.SERVER_ERROR, "upstream_unavailable", 3),
        (Behaviour.RATE_LIMITED, "upstream_rate_limited", 3),
        (Behaviour.CUT_STREAM, "upstream_unavailable", 3),
        (Behaviour.UNAUTHORIZED, "upstream_unavailable", 1),
        (Behaviour.RATE_LIMITED_LONG, "upstream_rate_limited", 1),
        (Behaviour.REDIRECTED, "upstream_unavailable", 1),
    ],
)
async def test_a_lasting_failure_says_its_cause(
    server: OpenAIServer, model: Chat, behaviour: Behaviour, cause: str, attempts: int
) -> None:
    server.next(CHAT, *[behaviour] * 9)
    error = await failure(model)
    assert isinstance(error, UpstreamUnavailable)
    assert (error.reason, error.metadata["cause"]) == ("MODEL_UNAVAILABLE", cause)
    assert len(server.received) == attempts
    assert (error.retry_after_seconds == RETRY_AFTER_SECONDS) == (behaviour is Behaviour.RATE_LIMITED_LONG)


async def test_nobody_listens() -> None:
    with closed_port() as base_url:
        model = chat(base_url)
        error = await failure(model)
        await model.close()
    assert (error.reason, error.metadata["cause"]) == ("MODEL_UNAVAILABLE", "upstream_unavailable")


@pytest.mark.parametrize("behaviour", [Behaviour.BAD_REQUEST, Behaviour.FILTERED, Behaviour.DECLINED])
async def test_a_refused_text_is_not_tried_again_and_stays_out_of_the_error(
    server: OpenAIServer, model: Chat, behaviour: Behaviour
) -> None:
    server.next(CHAT, behaviour)
    error = await failure(model)
    assert isinstance(error, FailedPrecondition)
    assert error.reason == "MODEL_REFUSED"
    assert PROMPT.data not in error.message + str(error.metadata)
    assert len(server.received) == 1


async def test_one_slow_call_is_cut_and_tried_again(server: OpenAIServer) -> None:
    server.say_ever(GOOD)
    model = chat(server, calls=CallPolicy(attempts=3, timeout_seconds=1.0))
    server.next(CHAT, Behaviour.SLOW)
    assert (await ask(model)).value == [0.25, 0.75]
    await model.close()


async def test_the_deadline_is_of_all_calls_together(server: OpenAIServer, model: Chat) -> None:
    server.next(CHAT, Behaviour.EMPTY_JSON, Behaviour.SLOW)
    error = await failure(model, Limits(deadline_seconds=1.5))
    assert (error.reason, error.metadata["cause"]) == ("MODEL_UNAVAILABLE", "upstream_timeout")
    assert len(server.received) == 2


async def test_so_many_run_so_many_wait_and_the_next_is_refused(server: OpenAIServer) -> None:
    server.say_ever(GOOD)
    model = chat(server, ChatPolicy(concurrent_calls=2, waiting_calls=1))
    server.next(CHAT, *[Behaviour.HELD] * 3)
    taken = [asyncio.create_task(ask(model)) for _ in range(3)]
    await server.arrived(2)
    error = await failure(model)
    assert isinstance(error, Overloaded)
    assert (error.reason, error.retry_after_seconds) == ("MODEL_OVERLOADED", 2.0)
    server.release()
    assert [answer.value for answer in await asyncio.gather(*taken)] == [[0.25, 0.75]] * 3
    assert (len(server.received), server.most_in_flight) == (3, 2)
    assert (await ask(model)).value == [0.25, 0.75]
    await model.close()


async def test_a_caller_that_goes_away_gives_its_place_back(server: OpenAIServer) -> None:
    server.say_ever(GOOD)
    model = chat(server, ChatPolicy(concurrent_calls=1, waiting_calls=1))
    server.next(CHAT, Behaviour.SLOW)
    running, waiting = (asyncio.create_task(ask(model)) for _ in range(2))
    await server.arrived(1)
    for task in (waiting, running):
        task.cancel()
    await asyncio.gather(running, waiting, return_exceptions=True)
    assert (await ask(model)).value == [0.25, 0.75]
    await model.close()


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, {"model": MODEL, "purpose": "rerank", **labels}) or 0.0


async def test_tokens_add_up_in_the_answer_and_in_the_metrics(server: OpenAIServer, model: Chat) -> None:
    names = [("candor_model_tokens_total", "part", "prompt"), ("candor_model_tokens_total", "part", "completion")]
    names += [("candor_model_calls_total", "outcome", word) for word in ("answered", "invalid", "unavailable")]
    before = [counted(name, **{label: value}) for name, label, value in names]
    server.next(CHAT, Behaviour.SERVER_ERROR)
    server.say("one two three", "{}")
    usage = (await ask(model)).usage
    completion = completion_tokens_of("one two three") + completion_tokens_of("{}") + completion_tokens_of(GOOD)
    assert (usage.prompt_tokens, usage.completion_tokens, usage.calls) == (3 * PROMPT_TOKENS, completion, 3)
    after = [counted(name, **{label: value}) for name, label, value in names]
    rises = [b - a for a, b in zip(before, after, strict=True)]
    assert rises == [3 * PROMPT_TOKENS, completion, 1, 2, 1]


async def test_a_call_that_may_cost_too_much_is_not_made(server: OpenAIServer, model: Chat) -> None:
    error = await failure(model, Limits(max_total_tokens=60))
    assert isinstance(error, FailedPrecondition)
    assert error.reason == "COST_CEILING"
    assert server.received == []


async def test_an_answer_gets_the_tokens_that_are_left(server: OpenAIServer, model: Chat) -> None:
    prompt_tokens = (len(PROMPT.instructions) + len(PROMPT.data)) // 3
    await ask(model, Limits(max_total_tokens=200))
    assert server.bodies()[0]["max_completion_tokens"] == 200 - prompt_tokens


async def test_what_was_spent_counts_before_the_answer_is_asked_for_again(server: OpenAIServer, model: Chat) -> None:
    server.say("word " * 100)
    error = await failure(model, Limits(max_total_tokens=150))
    assert (error.reason, error.metadata["spent_tokens"]) == ("COST_CEILING", str(100 + PROMPT_TOKENS))
    assert len(server.received) == 1


@pytest.mark.parametrize("behaviour", [Behaviour.UNCOUNTED, Behaviour.LYING_COUNT])
async def test_tokens_that_nobody_counted_are_not_invented(
    server: OpenAIServer, model: Chat, behaviour: Behaviour
) -> None:
    server.next(CHAT, behaviour)
    usage = (await ask(model)).usage
    assert (usage.prompt_tokens, usage.completion_tokens, usage.calls) == (0, 0, 1)


async def test_text_is_asked_for_without_a_format(server: OpenAIServer, model: Chat) -> None:
    server.next(CHAT, Behaviour.EMPTY_CONTENT, Behaviour.THINKING)
    server.say("", "The answer.")
    answer = await model.complete_text(Purpose.NARRATION, PROMPT)
    assert (answer.value, answer.usage.calls) == ("The answer.", 2)
    assert "response_format" not in server.bodies()[0]


TEXT = "Paid on 2026-04-01 [1]. The rest is open [2]."


async def streamed(model: Chat, limits: Limits = Limits()) -> tuple[str, Answer[str] | None, int]:  # noqa: B008
    """Return the pieces together, the last item, and how many pieces there were."""
    pieces, last = [], None
    async with aclosing(model.stream_text(Purpose.NARRATION, PROMPT, limits)) as items:
        async for item in items:
            if isinstance(item, str):
                pieces.append(item)
            else:
                last = item
    return "".join(pieces), last, len(pieces)


@pytest.mark.parametrize("behaviour", [Behaviour.OK, Behaviour.THINKING])
async def test_a_stream_comes_in_pieces_and_ends_with_the_whole(
    server: OpenAIServer, model: Chat, behaviour: Behaviour
) -> None:
    server.next(CHAT, Behaviour.SERVER_ERROR, behaviour)
    server.say(TEXT)
    text, last, count = await streamed(model)
    assert last is not None
    assert text == last.value == TEXT
    assert count > 3
    assert (last.usage.prompt_tokens, last.usage.calls) == (PROMPT_TOKENS, 1)
    assert last.usage.completion_tokens >= completion_tokens_of(TEXT)
    assert server.bodies()[-1]["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize(
    ("behaviour", "reason", "cause"),
    [
        (Behaviour.CUT_STREAM, "MODEL_UNAVAILABLE", "upstream_unavailable"),
        (Behaviour.UNFINISHED_STREAM, "MODEL_UNAVAILABLE", "upstream_unavailable"),
        (Behaviour.ERROR_IN_STREAM, "MODEL_UNAVAILABLE", "upstream_unavailable"),
        (Behaviour.STALLED_STREAM, "MODEL_UNAVAILABLE", "upstream_timeout"),
        (Behaviour.SLOW, "MODEL_UNAVAILABLE", "upstream_timeout"),
        (Behaviour.RATE_LIMITED_LONG, "MODEL_UNAVAILABLE", "upstream_rate_limited"),
        (Behaviour.BROKEN_CHUNK, "MODEL_ANSWER_INVALID", "upstream_unavailable"),
        (Behaviour.TRUNCATED, "MODEL_ANSWER_INVALID", "upstream_unavailable"),
        (Behaviour.EMPTY_CONTENT, "MODEL_ANSWER_INVALID", "upstream_unavailable"),
        (Behaviour.THINKING_UNCLOSED, "MODEL_ANSWER_INVALID", "upstream_unavailable"),
        (Behaviour.FILTERED, "MODEL_REFUSED", None),
    ],
)
async def test_a_stream_that_breaks_never_looks_whole(
    server: OpenAIServer, model: Chat, behaviour: Behaviour, reason: str, cause: str | None
) -> None:
    server.next(CHAT, behaviour)
    server.say(TEXT)
    with pytest.raises(CandorError) as caught:
        await streamed(model, Limits(deadline_seconds=1.0))
    assert (caught.value.reason, caught.value.metadata.get("cause")) == (reason, cause)


async def test_a_text_without_end_is_given_up(server: OpenAIServer, model: Chat) -> None:
    server.say_ever("It goes on. " * 2_000)
    with pytest.raises(UpstreamUnavailable, match="more than 16000 characters"):
        await streamed(model)
    with pytest.raises(UpstreamUnavailable, match="more than 16000 characters"):
        await model.complete_text(Purpose.NARRATION, PROMPT)


async def test_a_stream_that_nobody_reads_on_gives_its_place_back(server: OpenAIServer) -> None:
    model = chat(server, ChatPolicy(concurrent_calls=1, waiting_calls=0))
    server.next(CHAT, Behaviour.STALLED_STREAM)
    server.say(TEXT, TEXT)
    async with aclosing(model.stream_text(Purpose.NARRATION, PROMPT)) as items:
        await anext(items)
        with pytest.raises(Overloaded):
            await streamed(model)
    assert (await streamed(model))[0] == TEXT
    await model.close()
