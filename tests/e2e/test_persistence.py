"""No acknowledged write is lost, doubled or halved when every process is killed at any moment.

The full run has more rounds: `make persistence` (PERSISTENCE_ROUNDS, default 3 here).
"""

import asyncio
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from services import dev
from tests.e2e.asking import get, items, lines, post
from tests.e2e.crash_writers import Round, plan, write_all
from tests.e2e.stack import Stack, started

ROUNDS = int(os.environ.get("PERSISTENCE_ROUNDS", "3"))
WRITES = int(os.environ.get("PERSISTENCE_WRITES", "500"))
SEED = 20_260_401
LONGEST_DELAY_SECONDS = 0.03  # between an answer and the kill, so that it falls anywhere within a request


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A Candor of its own: this file kills it."""
    if "E2E_URL" in os.environ:
        pytest.skip("E2E_URL names a Candor that this test must not kill")
    with started(tmp_path_factory.mktemp("mortal")) as own:
        yield own


@pytest.mark.parametrize("number", range(1, ROUNDS + 1))
def test_what_was_acknowledged_is_there_once_and_whole(mortal: Stack, number: int) -> None:
    chance = random.Random(SEED + number)
    work = plan(number, WRITES, chance)
    _write_until_killed(mortal, work, chance)
    crashed = len(work.acknowledged)
    assert 0 < crashed < WRITES
    mortal.restart()
    with mortal.client() as client:
        found = _verify(client, work)  # as the crash left it
        unheard = len(found) - sum(len(write.memories) for write in work.acknowledged)
        asyncio.run(write_all(mortal.url, mortal.key, work, lambda _count: None))
        assert len(work.acknowledged) == WRITES
        stored = _verify(client, work)
    assert len(stored) == sum(len(write.memories) for write in work.writes)
    print(
        f"round {number}: killed after {crashed} of {WRITES} answers; {unheard} memories were stored unanswered; ",
        end="",
    )
    print(f"{len(stored)} in the end, each once and whole")


def _write_until_killed(mortal: Stack, work: Round, chance: random.Random) -> None:
    """Write, and kill everything a moment after a chosen number of answers."""
    at = chance.randrange(1, WRITES - 1)
    moment = threading.Timer(chance.uniform(0, LONGEST_DELAY_SECONDS), lambda: dev.kill(mortal.own))

    def count(acknowledged: int) -> None:
        if acknowledged == at:
            moment.start()

    asyncio.run(write_all(mortal.url, mortal.key, work, count))
    moment.join()


def _verify(client: httpx2.Client, work: Round) -> dict[str, dict[str, Any]]:
    """Check everything that is stored of a round against what was asked for and acknowledged; return it by id."""
    streamed = items(lines(client, "GET", "/v1/memories:stream", params={"company": work.company}), "memory")
    stored = {memory["id"]: memory for memory in streamed}
    assert len(stored) == len(streamed)
    _verify_writes(work, stored)
    _verify_events(client, stored)
    _verify_recall(client, stored)
    _verify_assertions(client, work, stored)
    return stored


def _verify_writes(work: Round, stored: dict[str, dict[str, Any]]) -> None:
    """Each write is there once or not at all, whole, and under the ids that were acknowledged."""
    where = {(memory["record"], memory["session"]): memory for memory in stored.values()}
    assert len(where) == len(stored)  # none twice
    known = 0
    for write in work.writes:
        found = [where.get((asked["record"], asked["session"])) for asked in write.memories]
        is_there = [memory is not None for memory in found]
        assert all(is_there) or (write.answer is None and not any(is_there)), write.key
        known += sum(is_there)
        for asked, memory in zip(write.memories, found, strict=True):
            assert memory is None or asked.items() <= memory.items()
        if write.answer is not None:
            assert [memory and memory["id"] for memory in found] == write.memory_ids
    assert known == len(stored)  # nothing that nobody asked for


def _verify_events(client: httpx2.Client, stored: dict[str, dict[str, Any]]) -> None:
    for memory_id in stored:
        events = get(client, f"/v1/memories/{memory_id}/events")["events"]
        assert [(event["action"], event["revision"]) for event in events] == [("created", 1)]


def _verify_recall(client: httpx2.Client, stored: dict[str, dict[str, Any]]) -> None:
    """Each memory is found by its vector and by its words. The query is the same, so that it is embedded once."""
    records = Counter((memory["company"], memory["record"]) for memory in stored.values())
    for (company, record), memories in records.items():
        asked = {"query": "what does the invoice amount to?", "company": company, "record": record, "ungrouped": True}
        hits = post(client, "/v1/recall", asked)["hits"]
        assert len(hits) == memories
        for hit in hits:
            assert hit["explanation"]["dense"] is not None
            assert hit["explanation"]["lexical"] is not None


def _verify_assertions(client: httpx2.Client, work: Round, stored: dict[str, dict[str, Any]]) -> None:
    """The audit finds exactly the records of which both sides are stored, with both values."""
    values: dict[str, dict[str, int]] = {}
    for memory_id, memory in stored.items():
        values.setdefault(memory["record"], {})[memory_id] = memory["metadata"]["amount"]
    audit = lines(client, "POST", "/v1/audit/fields", json={"company": work.company})
    found = {
        item["subject"]: {value["memoryId"]: value["value"] for value in item["values"]}
        for item in items(audit, "contradiction")
    }
    assert found == {record: sides for record, sides in values.items() if len(sides) > 1}
    (summary,) = items(audit, "summary")
    assert summary["audited"] == len(stored)
    assert summary["subjects"] == len(values)
