"""Candor as an agent under measurement: its own services, each life a tenant, swept each day, consolidated each week.

Rules: a turn is observed at its own time and its jobs are done before anything else happens. Faded memories are swept
once a day and repeats merged once a week, as a schedule would. Lines are those of the recall's text, without their
numbers: as many as fit the benchmark's own count of the budget. What an answer was read from is reported as used, as an
assistant reports what it cites. What a policy is worth shows where it is off: no sweep (decay), no passes
(consolidation), and at the judge's door supersession or protection.
It does not know answer keys. Source: REQUIREMENTS D3, D7, D9.
"""

import re
import time
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from datetime import time as clock_time

from candor.ingest.v1.admin_pb2 import CreateTenantRequest
from candor.ingest.v1.consolidation_pb2 import ConsolidateMemoriesRequest
from candor.ingest.v1.forgetting_pb2 import SweepMemoriesRequest
from candor.ingest.v1.reinforcement_pb2 import ReinforceMemoriesRequest
from candor.ingest.v1.turns_pb2 import ObserveTurnRequest
from candor.retrieve.v1.memories_pb2 import CountMemoriesRequest
from candor.retrieve.v1.recall_pb2 import RecallMemoriesRequest

from shared.rpc import clients, life_stubs
from shared.rpc.context import NOW_TIME_KEY
from tests.bench.life.agents import count_tokens, packed
from tests.bench.life.model import Turn
from tests.bench.life.services import Ledger, Services

ACTOR = "bench"
TIMEOUT_SECONDS = 120.0
CONSOLIDATE_EVERY_DAYS = 7
# Candor counts tokens on the careful side: lines it takes for 160 tokens are 99 words and marks at the 95th percentile
# (measured). It is asked for more, and cut at the budget by the count that holds for every agent.
TOKENS_ASKED_SHARE = 1.5
_NUMBER = re.compile(r"\[\d+\] ")


class Candor:
    """A tenant that lives a life."""

    def __init__(
        self,
        services: Services,
        life: str,
        *,
        decay: bool = True,
        consolidation: bool = True,
        supersession: bool = True,
        protection: bool = True,
    ) -> None:
        self._services, self._life = services, life
        self._decay, self._consolidation = decay, consolidation
        self._supersession, self._protection = supersession, protection
        policies = {
            "decay": decay,
            "consolidation": consolidation,
            "supersession": supersession,
            "protection": protection,
        }
        self._name = "candor" + "".join(f"-no-{policy}" for policy, on in policies.items() if not on)
        self._tenant = ""
        self._day: date | None = None
        self._written = self._read = 0
        self._turns = self._uses = 0
        self._told: list[str] = []
        self._write_seconds = 0.0

    @property
    def name(self) -> str:
        return self._name

    @property
    def written_tokens(self) -> int:
        """Return what was written: the turns, and the facts found in them."""
        return self._written + sum(map(count_tokens, self.ledger.fact_texts))

    @property
    def read_tokens(self) -> int:
        return self._read

    @property
    def ledger(self) -> Ledger:
        """Return what was asked of judge."""
        return self._services.door.ledgers[self._tenant]

    @property
    def costs(self) -> dict[str, float]:
        """Return what a turn cost to write: calls of judge, and time with all that follows from it."""
        turns = max(self._turns, 1)
        calls = {f"{kind} a turn": number / turns for kind, number in sorted(self.ledger.calls.items())}
        return {**calls, "ms a turn": self._write_seconds * 1e3 / turns}

    async def observe(self, turn: Turn) -> None:
        """Have a turn written, read for facts, and placed."""
        await self._until(turn.at)
        began = time.perf_counter()
        request = ObserveTurnRequest(
            tenant_id=self._tenant,
            actor=ACTOR,
            request_id=f"turn-{self._turns}",
            user_text=turn.user_text,
            assistant_text=turn.assistant_text,
            session=turn.session,
        )
        await clients.turns(self._services.ingest).ObserveTurn(request, metadata=_now(turn.at), timeout=TIMEOUT_SECONDS)
        await self._services.work()
        self._write_seconds += time.perf_counter() - began
        self._turns += 1
        self._written += count_tokens(turn.user_text) + count_tokens(turn.assistant_text)

    async def recall(self, question: str, at: datetime, token_budget: int) -> list[str]:
        """Recall lines within the budget."""
        await self._until(at)
        asked = int(token_budget * TOKENS_ASKED_SHARE)
        request = RecallMemoriesRequest(tenant_id=self._tenant, query=question, token_budget=asked)
        stub = clients.recall(self._services.retrieve)
        answer = await stub.RecallMemories(request, metadata=_now(at), timeout=TIMEOUT_SECONDS)
        lines = packed((_NUMBER.sub("", line, count=1) for line in answer.text.splitlines()), token_budget)
        self._told = [hit.memory.id for hit in answer.hits[: len(lines)]]
        self._read += sum(map(count_tokens, lines))
        return lines

    async def used(self, places: Sequence[int], at: datetime) -> None:
        """Report which lines of the last recall an answer was read from."""
        if places:
            self._uses += 1
            request = ReinforceMemoriesRequest(
                tenant_id=self._tenant,
                request_id=f"use-{self._uses}",
                memory_ids=[self._told[place] for place in places],
            )
            stub = clients.reinforcement(self._services.ingest)
            await stub.ReinforceMemories(request, metadata=_now(at), timeout=TIMEOUT_SECONDS)

    async def live_count(self) -> int:
        """Return how many memories are active."""
        request = CountMemoriesRequest(tenant_id=self._tenant)
        assert self._day is not None
        stub = clients.memory_reader(self._services.retrieve)
        answer = await stub.CountMemories(request, metadata=_now(_end_of(self._day)), timeout=TIMEOUT_SECONDS)
        return int(answer.count)

    async def _until(self, at: datetime) -> None:
        """Let the days pass that end before an instant."""
        if self._day is None:
            await self._born(at)
        assert self._day is not None
        while self._day < at.date():
            await self._services.flush()
            if self._decay:
                await self._sweep(_end_of(self._day))
            if self._consolidation and self._day.toordinal() % CONSOLIDATE_EVERY_DAYS == 0:
                await self._consolidate(_end_of(self._day))
            self._day += timedelta(days=1)

    async def _born(self, at: datetime) -> None:
        admin = clients.admin(self._services.ingest)
        made = await admin.CreateTenant(CreateTenantRequest(name=f"{self._name}-{self._life}"), timeout=TIMEOUT_SECONDS)
        self._tenant, self._day = str(made.tenant_id), at.date()
        if not self._supersession:
            self._services.door.without_supersession.add(self._tenant)
        if not self._protection:
            self._services.door.without_protection.add(self._tenant)

    async def _sweep(self, at: datetime) -> None:
        request = SweepMemoriesRequest(
            tenant_id=self._tenant, actor=ACTOR, request_id=f"sweep-{at:%Y-%m-%d}", reason="daily"
        )
        stub = life_stubs.forgetting(self._services.ingest)
        await stub.SweepMemories(request, metadata=_now(at), timeout=TIMEOUT_SECONDS)

    async def _consolidate(self, at: datetime) -> None:
        """Have repeats merged: a plan, and that plan carried out."""
        stub = life_stubs.consolidation(self._services.ingest)
        request = ConsolidateMemoriesRequest(tenant_id=self._tenant, actor=ACTOR, preview=True)
        plan = await stub.ConsolidateMemories(request, metadata=_now(at), timeout=TIMEOUT_SECONDS)
        if plan.digests:
            request = ConsolidateMemoriesRequest(tenant_id=self._tenant, actor=ACTOR, plan_id=plan.plan_id)
            await stub.ConsolidateMemories(request, metadata=_now(at), timeout=TIMEOUT_SECONDS)


def _end_of(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), clock_time(), UTC) - timedelta(milliseconds=1)


def _now(at: datetime) -> tuple[tuple[str, str], ...]:
    return ((NOW_TIME_KEY, at.isoformat()),)
