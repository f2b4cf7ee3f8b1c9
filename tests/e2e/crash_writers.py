"""Several clients that write at once, remember what was acknowledged, and go on after a crash with the same keys.

Rules: what is written follows from the seed and the round alone. A request without an answer is neither written nor
lost: it is sent again with its key until it is answered.
"""

import asyncio
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import httpx2

from tests.e2e.stack import TIMEOUT_SECONDS, bearer

CLIENTS = 8
BATCH = 5  # memories of one batch write


@dataclass(slots=True)
class Write:
    """One request and what came of it: `answer` is None until it is acknowledged."""

    key: str
    path: str
    body: dict[str, Any]
    answer: dict[str, Any] | None = None

    @property
    def memories(self) -> list[dict[str, Any]]:
        """What it asks to be remembered."""
        return list(self.body["memories"]) if "memories" in self.body else [self.body]

    @property
    def memory_ids(self) -> list[str]:
        """The ids it was given, in the order of its memories."""
        if self.answer is None:
            return []
        written = self.answer["memories"] if "memories" in self.answer else [self.answer["memory"]]
        return [memory["memoryId"] for memory in written]


@dataclass(slots=True)
class Round:
    """The writes of one round, dealt to the clients."""

    company: str
    queues: list[list[Write]] = field(default_factory=list)

    @property
    def writes(self) -> list[Write]:
        return [write for queue in self.queues for write in queue]

    @property
    def acknowledged(self) -> list[Write]:
        return [write for write in self.writes if write.answer is not None]


def plan(number: int, writes: int, chance: random.Random) -> Round:
    """Deal one round: pairs of writes that contradict each other about a record, some of them in a batch."""
    company = f"Round {number} {chance.randrange(10**9)}"
    planned = Round(company, [[] for _ in range(CLIENTS)])
    for index, write in enumerate(islice(_pairs(company, chance), writes)):
        planned.queues[index // 2 % CLIENTS].append(write)
    return planned


def _pairs(company: str, chance: random.Random) -> Iterator[Write]:
    slug = company.replace(" ", "-")
    serial = 0
    while True:
        serial += 1
        first, second = chance.sample(range(100, 10_000), 2)
        record = f"INV-{serial}"
        yield Write(f"{slug}.{record}.a", "/v1/memories", _memory(company, record, first, "monday"))
        if chance.random() < 0.2:
            many = [_memory(company, f"{record}-{part}", second, "friday") for part in range(1, BATCH)]
            body = {"memories": [_memory(company, record, second, "friday"), *many]}
            yield Write(f"{slug}.{record}.b", "/v1/memories:batch", body)
        else:
            yield Write(f"{slug}.{record}.b", "/v1/memories", _memory(company, record, second, "friday"))


def _memory(company: str, record: str, amount: int, session: str) -> dict[str, Any]:
    return {
        "kind": "invoice",
        "content": f"Invoice {record} amounts to {amount}.",
        "company": company,
        "record": record,
        "session": session,
        "metadata": {"amount": amount},
    }


async def write_all(url: str, key: str, work: Round, on_answer: Callable[[int], None]) -> None:
    """Send what is not acknowledged yet, each client its own writes in their order; end at the first failure of each.

    `on_answer` is told how many writes of the round are acknowledged.
    """
    acknowledged = len(work.acknowledged)

    async def one(queue: list[Write]) -> None:
        nonlocal acknowledged
        async with httpx2.AsyncClient(base_url=url, headers=bearer(key), timeout=TIMEOUT_SECONDS) as client:
            for write in queue:
                if write.answer is not None:
                    continue
                try:
                    answer = await client.post(write.path, json=write.body, headers={"Idempotency-Key": write.key})
                except httpx2.TransportError:
                    return
                if answer.status_code == 503:
                    return
                assert answer.status_code == 200, answer.text
                write.answer = answer.json()
                acknowledged += 1
                on_answer(acknowledged)

    await asyncio.gather(*map(one, work.queues))
