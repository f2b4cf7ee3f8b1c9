"""Conversations with ingest: turns, the job that reads them, and an extractor that says what a test wants it to say."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from json import loads
from typing import Any
from uuid import UUID

from candor.ingest.v1 import turns_pb2 as pb
from candor.judge.v1 import extraction_pb2
from candor.judge.v1.extraction_pb2_grpc import ExtractionServiceServicer

from services.ingest.enrichment import KIND, Enrichment
from services.ingest.enrichment_judge import Judge
from services.ingest.runner import JobRunner
from services.judge.contradictions import Contradictions
from services.judge.contradictions_rules import RuleJudge
from services.judge.models import LOCAL_JUDGE, Models
from shared.domain.errors import UpstreamUnavailable
from shared.domain.extraction.facts import Fact, Importance
from shared.domain.types import Guard, MemoryState, MemoryType
from shared.rpc import clients, meaning_stubs, wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.store import migrate
from shared.store.pool import Connection, run
from shared.store.writes import endings, events
from shared.store.writes.endings import Ending, Locked
from shared.store.writes.events import Operation
from tests.services.ingest.workplace import START, Workplace, workplace
from tests.services.running import role

STATEMENT_KEY = b"s" * 32
WHEN_SAID = datetime.max.replace(tzinfo=UTC)


def day(number: float) -> datetime:
    return START + timedelta(days=number)


class Extractor(ExtractionServiceServicer):
    """`script` says which facts a text tells, those of no text in it none; the tests' other switches make it fail.

    `importance` is of every statement. A call waits until `gate` is set.
    """

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Say nothing of any text, and fail at nothing."""
        self.script: dict[str, list[Fact]] = {}
        self.importance = Importance(0.6, MemoryType.SEMANTIC, Guard.NONE, "because")
        self.scores: list[extraction_pb2.ImportanceScore] | None = None
        self.error: UpstreamUnavailable | None = None
        self.heard: list[extraction_pb2.ExtractFactsRequest] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.entered = asyncio.Semaphore(0)

    async def ExtractFacts(
        self, request: extraction_pb2.ExtractFactsRequest, context: Context
    ) -> extraction_pb2.ExtractFactsResponse:
        self.heard.append(request)
        self.entered.release()
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        observed_at = wire.instant(request, "observed_at")
        assert observed_at is not None
        facts = [
            replace(fact, valid_from=observed_at) if fact.valid_from == WHEN_SAID else fact
            for fact in self.script.get(request.user_text, [])
        ]
        return extraction_pb2.ExtractFactsResponse(facts=map(wire.to_fact, facts), model="scripted")

    async def ScoreImportance(
        self, request: extraction_pb2.ScoreImportanceRequest, context: Context
    ) -> extraction_pb2.ScoreImportanceResponse:
        if self.scores is not None:
            return extraction_pb2.ScoreImportanceResponse(scores=self.scores)
        scores = [wire.to_importance(self.importance) for _ in request.statements]
        return extraction_pb2.ScoreImportanceResponse(scores=scores)


def fact(text: str, slot: str = "", value: str = "", **given: Any) -> Fact:
    """Return a fact that holds since it was said, unless `valid_from` says otherwise."""
    return Fact(text, text, given.pop("valid_from", WHEN_SAID), slot=slot, value=value, **given)


@dataclass(frozen=True)
class Conversation:
    """Ingest, its enrichment, and what the extractor says."""

    ingest: Workplace
    extractor: Extractor
    enrichment: Enrichment
    judges: tuple[object, ...]

    @property
    def runner(self) -> JobRunner:
        return JobRunner(self.ingest.pool, {KIND: self.enrichment.handle}, now=self.ingest.clock.now)

    async def say(self, tenant: UUID, text: str, *facts: Fact, at: float = 0, **given: Any) -> pb.ObserveTurnResponse:
        """Say something on a day; nobody reads it yet."""
        if facts:
            self.extractor.script[text] = list(facts)
        request = pb.ObserveTurnRequest(
            tenant_id=str(tenant),
            actor="tester",
            user_text=text,
            observed_at=wire.to_timestamp(day(at)),
            **{"session": "s1", **given},
        )
        self.ingest.clock.tick(1)
        with rpc_errors():
            return await self.ingest.turns.ObserveTurn(request)

    async def read(self) -> int:
        """Read all that was said; return how many jobs that took."""
        done = 0
        while await self.runner.step():
            done += 1
        return done

    async def tell(self, tenant: UUID, text: str, *facts: Fact, at: float = 0, **given: Any) -> UUID:
        """Say something and read it; return the turn's id."""
        answer = await self.say(tenant, text, *facts, at=at, **given)
        await self.read()
        return UUID(answer.memory.memory_id)

    async def lives(self, tenant: UUID, city: str, at: float, **given: Any) -> UUID:
        told = fact(f"User lives in {city}.", "slot.residence", city, **given)
        return await self.tell(tenant, f"I live in {city} ({at})", told, at=at)

    async def forget(self, tenant: UUID) -> None:
        """End every fact as a sweep does."""
        means, ingest = self.ingest.means, self.ingest
        shown = "SELECT memory_id FROM memory WHERE tenant_id = $1 AND kind = 'note' AND state = 'active'"
        faded = [Ending(row[0], MemoryState.FORGOTTEN, "faded") for row in await ingest.rows(shown, tenant)]
        operation = Operation(tenant, means.new_id(), "sweep", "tester", "", "", ingest.clock.time)

        async def work(connection: Connection) -> list[Locked]:
            await events.insert_operation(connection, operation)
            return await endings.end(connection, operation, faded, means.new_id)

        derive = await means.revisions.of(tenant)
        ended = await run(ingest.pool, tenant, work)
        means.statistics.add(tenant, [], [derive(memory.draft) for memory in ended])

    async def facts(self, tenant: UUID) -> list[tuple[str, str]]:
        """Return (text, state) of all facts by when they hold."""
        query = """SELECT content, state FROM memory
        WHERE tenant_id = $1 AND kind = 'note' ORDER BY valid_from, recorded_at"""
        return [(row[0], row[1]) for row in await self.ingest.rows(query, tenant)]

    async def active(self, tenant: UUID) -> list[str]:
        return [text for text, state in await self.facts(tenant) if state == "active"]

    async def jobs(self, tenant: UUID) -> Sequence[tuple[str, int, str | None, dict[str, int] | None]]:
        query = "SELECT status, attempts, last_error, result::text FROM job WHERE tenant_id = $1 ORDER BY created_at"
        rows = await self.ingest.rows(query, tenant)
        return [(row[0], row[1], row[2], loads(row[3]) if row[3] else None) for row in rows]


@asynccontextmanager
async def conversation(database: migrate.Dsns) -> AsyncIterator[Conversation]:
    """Start ingest and a judge: its extractor is the tests', its judge of meaning the real local one."""
    extractor = Extractor()
    meaning = Contradictions(RuleJudge(), timeout_seconds=8, concurrent_pairs=4)
    models = Models([LOCAL_JUDGE])
    async with workplace(database) as ingest, role("judge", extractor, meaning, models) as judge:
        asked = Judge(clients.extraction(judge), meaning_stubs.contradictions(judge), clients.models(judge))
        enrichment = Enrichment(ingest.means, asked, statement_key=STATEMENT_KEY)
        yield Conversation(ingest, extractor, enrichment, (extractor, meaning, models))
