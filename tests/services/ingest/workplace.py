"""Ingest with a stand-in embedder over real gRPC and PostgreSQL, without its background work; a look at its tables."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import asyncpg
import grpc
from candor.ingest.v1 import memories_pb2 as pb
from candor.ingest.v1.admin_pb2_grpc import AdminServiceStub
from candor.ingest.v1.bulk_pb2_grpc import ImportServiceStub
from candor.ingest.v1.jobs_pb2_grpc import JobsServiceStub
from candor.ingest.v1.memories_pb2_grpc import MemoriesServiceStub
from candor.ingest.v1.reinforcement_pb2_grpc import ReinforcementServiceStub
from candor.ingest.v1.turns_pb2_grpc import TurnsServiceStub

from services.ingest import deciding
from services.ingest.admin import AdminServicer
from services.ingest.archives import ArchiveServicer
from services.ingest.asking import Means
from services.ingest.consolidation import ConsolidationServicer
from services.ingest.embedder import Embedder
from services.ingest.erasure import ErasureServicer
from services.ingest.forgetting import ForgettingServicer
from services.ingest.importing import ImportServicer
from services.ingest.jobs import JobsServicer
from services.ingest.memories import MemoriesServicer
from services.ingest.reinforcement import ReinforcementServicer
from services.ingest.revising import Revisions
from services.ingest.term_statistics import TermStatistics
from services.ingest.turns import TurnsServicer
from services.ingest.upkeep import Upkeep
from services.ingest.vector_filling import VectorFiller
from shared.clock import new_id
from shared.rpc import clients
from shared.stemmer import stemmer
from shared.store import migrate
from shared.store.pool import Pool, open_pool
from tests.services.ingest.stand_in import StandIn
from tests.services.running import role

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
TERM_KEY, REQUEST_KEY, PEPPER = b"t" * 32, b"r" * 32, b"p" * 32


@dataclass
class Clock:
    """A clock that moves only when it is told to."""

    time: datetime = START

    def now(self) -> datetime:
        return self.time

    def tick(self, seconds: float = 60) -> datetime:
        self.time += timedelta(seconds=seconds)
        return self.time


@dataclass(frozen=True)
class Workplace:
    """Ingest and all it works with. `look` sees every tenant's rows."""

    via: grpc.aio.Channel
    writer: MemoriesServiceStub
    admin: AdminServiceStub
    importer: ImportServiceStub
    uses: ReinforcementServiceStub
    jobs: JobsServiceStub
    turns: TurnsServiceStub
    upkeep: Upkeep
    embeddings: StandIn
    worker: VectorFiller
    statistics: TermStatistics
    pool: Pool
    clock: Clock
    means: Means
    look: "asyncpg.Connection[asyncpg.Record]"

    async def create(self, tenant: UUID, content: str = "a fact", **given: Any) -> pb.CreateMemoryResponse:
        return await self.writer.CreateMemory(created(tenant, content, **given))

    async def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await self.look.fetch(query, *values)]

    async def value(self, query: str, *values: Any) -> Any:
        return await self.look.fetchval(query, *values)

    async def contents(self, tenant: UUID) -> dict[str, list[str]]:
        """Return every row of a tenant in every table that has any, as text."""
        tables = await self.look.fetch(
            """SELECT c.oid::regclass::text AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'candor'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
              AND a.attname = 'tenant_id'"""
        )
        found = {}
        for table in tables:
            rows = await self.look.fetch(
                f"SELECT t::text AS row FROM {table['name']} AS t WHERE tenant_id = $1 ORDER BY 1", tenant
            )
            if rows:
                found[table["name"]] = [row["row"] for row in rows]
        return found


def memory(content: str = "a fact", kind: str = "note", **given: Any) -> pb.NewMemory:
    return pb.NewMemory(kind=f"KIND_{kind.upper()}", content=content, **given)  # type: ignore[arg-type]


def created(
    tenant: UUID,
    content: str = "a fact",
    *,
    request_id: str = "",
    allow_pending_vector: bool = False,
    reason: str = "because",
    actor: str = "tester",
    **given: Any,
) -> pb.CreateMemoryRequest:
    return pb.CreateMemoryRequest(
        tenant_id=str(tenant),
        actor=actor,
        request_id=request_id,
        memory=memory(content, **given),
        allow_pending_vector=allow_pending_vector,
        reason=reason,
    )


def batch(
    tenant: UUID, memories: Sequence[pb.NewMemory], *, request_id: str = "", allow_pending_vector: bool = False
) -> pb.BatchCreateMemoriesRequest:
    return pb.BatchCreateMemoriesRequest(
        tenant_id=str(tenant),
        actor="tester",
        request_id=request_id,
        memories=memories,
        allow_pending_vector=allow_pending_vector,
    )


@asynccontextmanager
async def workplace(database: migrate.Dsns) -> AsyncIterator[Workplace]:
    """Start the two roles on a database."""
    look = await asyncpg.connect(database.migrator, server_settings={"search_path": "candor,public"})
    pool = await open_pool(database.writer, size=8, application_name="test-ingest")
    clock, stand_in = Clock(), StandIn()
    try:
        async with role("embed", stand_in) as embed:
            embedder = Embedder(clients.embeddings(embed))
            statistics, upkeep = TermStatistics(pool), Upkeep(pool, now=clock.now, new_id=new_id)
            means = Means(
                pool=pool,
                embedder=embedder,
                statistics=statistics,
                upkeep=upkeep,
                revisions=Revisions(pool, TERM_KEY, stemmer, now=clock.now),
                request_key=REQUEST_KEY,
                now=clock.now,
                real_now=clock.now,
                new_id=new_id,
            )
            admin = AdminServicer(means, pepper=PEPPER, new_secret=lambda: new_id().hex)
            others = (
                ImportServicer(means),
                ArchiveServicer(means),
                ReinforcementServicer(pool, upkeep, now=clock.now),
                JobsServicer(pool),
                TurnsServicer(means),
                ForgettingServicer(means),
                ConsolidationServicer(means),
                ErasureServicer(means),
            )
            servicers = (MemoriesServicer(means), admin, *others, *deciding.servicers(means))
            async with role("ingest", *servicers) as ingest:
                yield Workplace(
                    via=ingest,
                    importer=ImportServiceStub(ingest),
                    uses=ReinforcementServiceStub(ingest),
                    jobs=JobsServiceStub(ingest),
                    turns=TurnsServiceStub(ingest),
                    upkeep=upkeep,
                    writer=clients.memory_writer(ingest),
                    admin=clients.admin(ingest),
                    embeddings=stand_in,
                    worker=VectorFiller(pool, embedder, now=clock.now),
                    statistics=statistics,
                    pool=pool,
                    clock=clock,
                    means=means,
                    look=look,
                )
    finally:
        await pool.close()
        await look.close()
