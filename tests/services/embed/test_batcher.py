"""Concurrent calls share slices, each gets its own rows, and none suffers for another."""

import asyncio

import numpy as np
import pytest

from services.embed.batcher import Batcher
from services.embed.provider import Batching
from shared.domain.errors import FailedPrecondition, Overloaded, UpstreamUnavailable
from tests.services.embed.stand_in import StandIn, vector_of

pytestmark = pytest.mark.anyio

BATCHING = Batching(workers=2, slice_texts=8, slice_chars=200, window_seconds=0.0, waiting_texts_limit=5_000)


async def closed_gate(batching: Batching = BATCHING) -> tuple[StandIn, Batcher, list[asyncio.Task[object]]]:
    """Return a batcher whose workers are all busy at a closed gate."""
    provider = StandIn(batching)
    provider.gate.clear()
    batcher = Batcher(provider)
    busy: list[asyncio.Task[object]] = []
    for number in range(batching.workers):
        provider.entered.clear()
        busy.append(asyncio.create_task(batcher.embed([f"busy {number}"])))
        await provider.entered.wait()
    provider.slices.clear()
    return provider, batcher, busy


async def started(batcher: Batcher, texts: list[str]) -> asyncio.Task[object]:
    """Start a call and return when its texts wait."""
    before = batcher.waiting_texts
    task: asyncio.Task[object] = asyncio.create_task(batcher.embed(texts))
    await asyncio.sleep(0)  # a new task runs to its first wait in one turn of the loop
    assert batcher.waiting_texts > before
    return task


async def test_200_concurrent_calls_get_their_own_rows_in_their_own_order() -> None:
    provider = StandIn(BATCHING)
    batcher = Batcher(provider)
    calls = [[f"{'x' * (n * 7 % 23)} caller {call} text {n}" for n in range(1 + call % 12)] for call in range(200)]
    answers = await asyncio.gather(*(batcher.embed(texts) for texts in calls))
    for texts, answer in zip(calls, answers, strict=True):
        np.testing.assert_array_equal(answer.vectors, np.stack([vector_of(text) for text in texts]))
        np.testing.assert_allclose(answer.unknown_token_shares, [len(text) % 10 / 10 for text in texts], atol=1e-6)
    assert sum(map(len, provider.slices)) == sum(map(len, calls))
    assert len(provider.slices) < 220  # 1,290 texts: most slices are full
    assert max(map(len, provider.slices)) <= BATCHING.slice_texts
    assert provider.most_running == BATCHING.workers
    assert batcher.waiting_texts == 0


async def test_two_calls_of_one_moment_use_both_workers() -> None:
    provider = StandIn(BATCHING)
    batcher = Batcher(provider)
    await asyncio.gather(batcher.embed(["one"]), batcher.embed(["two"]))
    assert sorted(provider.slices) == [["one"], ["two"]]


async def test_a_single_text_does_not_wait_behind_thousands() -> None:
    provider, batcher, busy = await closed_gate()
    huge = await started(batcher, [f"document {n}" for n in range(2_000)])
    single = await started(batcher, ["single"])
    provider.gate.set()
    await single
    assert any("single" in part for part in provider.slices[: BATCHING.workers + 1])
    assert not huge.done()
    await asyncio.gather(huge, *busy)


async def test_a_slice_is_bounded_in_characters_and_near_in_length() -> None:
    provider, batcher, busy = await closed_gate()
    texts = [letter * size for letter in "abcd" for size in (10, 60, 150, 500)]
    call = await started(batcher, texts)
    provider.gate.set()
    await asyncio.gather(call, *busy)
    assert all(len(part) == 1 or sum(map(len, part)) <= BATCHING.slice_chars for part in provider.slices)
    assert [len(text) for part in provider.slices for text in part] == sorted(map(len, texts))


async def test_a_cancelled_call_gives_up_its_place() -> None:
    provider, batcher, busy = await closed_gate()
    gone = await started(batcher, [f"gone {n}" for n in range(50)])
    stays = await started(batcher, ["stays"])
    gone.cancel()
    await asyncio.wait([gone])
    assert batcher.waiting_texts == 1
    provider.gate.set()
    await asyncio.gather(stays, *busy)
    assert provider.slices == [["stays"]]


async def test_a_refused_text_fails_its_own_caller_only() -> None:
    provider, batcher, busy = await closed_gate()
    provider.refused = {"refused"}
    good = [await started(batcher, [f"good {n}"]) for n in range(5)]
    bad = await started(batcher, ["fine", "refused"])
    provider.gate.set()
    answers = await asyncio.gather(*good, bad, *busy, return_exceptions=True)
    assert isinstance(answers[5], FailedPrecondition)
    assert not any(isinstance(answer, BaseException) for n, answer in enumerate(answers) if n != 5)


async def test_a_provider_that_is_down_fails_every_caller_once() -> None:
    provider, batcher, busy = await closed_gate()
    calls = [await started(batcher, [f"text {n}"]) for n in range(6)]
    provider.failure = UpstreamUnavailable("EMBEDDER_UNAVAILABLE", "down")
    provider.gate.set()
    answers = await asyncio.gather(*calls, *busy, return_exceptions=True)
    assert all(isinstance(answer, UpstreamUnavailable) for answer in answers)
    assert sum(map(len, provider.slices)) == len(calls)  # none is tried again
    provider.failure = None
    np.testing.assert_array_equal((await batcher.embed(["later"])).vectors[0], vector_of("later"))


async def test_a_defect_of_the_provider_reaches_the_caller() -> None:
    provider = StandIn(BATCHING)
    provider.failure = ZeroDivisionError("a defect")
    with pytest.raises(ZeroDivisionError):
        await Batcher(provider).embed(["text"])


async def test_too_many_waiting_texts_are_refused_but_one_large_call_is_not() -> None:
    batching = Batching(workers=1, slice_texts=8, slice_chars=200, window_seconds=0.0, waiting_texts_limit=10)
    provider, batcher, busy = await closed_gate(batching)
    large = await started(batcher, [f"text {n}" for n in range(30)])
    with pytest.raises(Overloaded) as caught:
        await batcher.embed(["one more"])
    assert caught.value.retry_after_seconds
    provider.gate.set()
    await asyncio.gather(large, *busy)
    await batcher.embed(["one more"])


async def test_closing_refuses_what_waits_and_lets_running_slices_end() -> None:
    provider, batcher, busy = await closed_gate()
    waiting = await started(batcher, ["waiting"])
    closing = asyncio.create_task(batcher.close())
    with pytest.raises(UpstreamUnavailable, match="closing"):
        await waiting
    assert not closing.done()
    provider.gate.set()
    await asyncio.gather(closing, *busy)
    with pytest.raises(UpstreamUnavailable, match="closing"):
        await batcher.embed(["late"])
