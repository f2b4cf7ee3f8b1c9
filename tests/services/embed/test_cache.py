"""A text embedded before costs no model; the cache stays within its bytes and tells no tenant about another."""

import asyncio
from uuid import UUID

import numpy as np
import pytest

from services.embed.cache import ENTRY_OVERHEAD_BYTES, Embedder
from services.embed.provider import Batching
from shared.domain.errors import UpstreamUnavailable
from tests.services.embed.stand_in import DIMENSIONS, StandIn, vector_of

pytestmark = pytest.mark.anyio

BATCHING = Batching(workers=2, slice_texts=8, slice_chars=200, window_seconds=0.0)
ENTRY_BYTES = DIMENSIONS * 4 + ENTRY_OVERHEAD_BYTES
ONE, OTHER = UUID(int=1), UUID(int=2)


def texts_asked(provider: StandIn) -> list[str]:
    return sorted(text for part in provider.slices for text in part)


async def test_a_hit_does_not_call_the_provider_and_is_the_same() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=100 * ENTRY_BYTES)
    first = await embedder.embed(ONE, ["a", "bb"], query=True)
    provider.slices.clear()
    again = await embedder.embed(ONE, ["bb", "a"], query=False)
    assert provider.slices == []
    np.testing.assert_array_equal(again.vectors, first.vectors[::-1])
    np.testing.assert_array_equal(again.unknown_token_shares, first.unknown_token_shares[::-1])
    assert (embedder.hits, embedder.misses) == (2, 2)


async def test_only_what_is_missing_is_asked_for_and_each_text_once() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=100 * ENTRY_BYTES)
    await embedder.embed(ONE, ["known"], query=True)
    provider.slices.clear()
    texts = ["new", "known", "newer", "new"]
    answer = await embedder.embed(ONE, texts, query=False)
    assert texts_asked(provider) == ["new", "newer"]
    np.testing.assert_array_equal(answer.vectors, np.stack([vector_of(text) for text in texts]))


async def test_the_least_recently_used_goes_first() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=2 * ENTRY_BYTES)
    for text in ("a", "b", "a", "c"):
        await embedder.embed(ONE, [text], query=True)
    assert len(embedder) == 2
    provider.slices.clear()
    await embedder.embed(ONE, ["a", "b", "c"], query=True)
    assert texts_asked(provider) == ["b"]


async def test_a_call_larger_than_the_cache_is_answered_whole() -> None:
    embedder = Embedder(StandIn(BATCHING), limit_bytes=2 * ENTRY_BYTES)
    texts = [f"text {n}" for n in range(40)]
    answer = await embedder.embed(ONE, texts, query=False)
    np.testing.assert_array_equal(answer.vectors, np.stack([vector_of(text) for text in texts]))
    assert len(embedder) == 2


async def test_a_tenant_does_not_meet_another_ones_entries() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=100 * ENTRY_BYTES)
    await embedder.embed(ONE, ["same"], query=True)
    await embedder.embed(OTHER, ["same"], query=True)
    assert texts_asked(provider) == ["same", "same"]


async def test_a_failure_keeps_nothing() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=100 * ENTRY_BYTES)
    provider.failure = UpstreamUnavailable("EMBEDDER_UNAVAILABLE", "down")
    with pytest.raises(UpstreamUnavailable):
        await embedder.embed(ONE, ["a"], query=True)
    provider.failure = None
    answer = await embedder.embed(ONE, ["a"], query=True)
    np.testing.assert_array_equal(answer.vectors[0], vector_of("a"))


async def test_a_query_does_not_wait_for_documents() -> None:
    provider = StandIn(BATCHING)
    embedder = Embedder(provider, limit_bytes=0)
    provider.gate.clear()
    documents = asyncio.create_task(embedder.embed(ONE, [f"document {n}" for n in range(500)], query=False))
    await provider.entered.wait()
    provider.entered.clear()
    query = asyncio.create_task(embedder.embed(ONE, ["query"], query=True))
    await provider.entered.wait()
    assert ["query"] in provider.slices
    assert len(provider.slices) <= BATCHING.workers + 1
    provider.gate.set()
    await asyncio.gather(documents, query)


async def test_closing_closes_the_provider() -> None:
    provider = StandIn(BATCHING)
    await Embedder(provider, limit_bytes=0).close()
    assert provider.closed
