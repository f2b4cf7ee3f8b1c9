"""An audit of meaning in one process: real PostgreSQL with the roles' own rights, real gRPC between all four roles."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import grpc
import numpy as np
from candor.audit.v1 import meaning_pb2 as pb
from candor.judge.v1 import contradictions_pb2, contradictions_pb2_grpc

from services.audit.meaning import MeaningAudit
from services.audit.meaning_judging import Judging
from services.ingest.verdicts import Verdicts
from services.judge.chat import Chat
from services.judge.contradictions import Contradictions
from services.judge.contradictions_model import ModelJudge
from services.judge.contradictions_rules import RuleJudge
from services.judge.models import LOCAL_JUDGE, MEANING, Models, Role
from services.retrieve.pair_search import PairSearch
from services.retrieve.pairs import Pairs
from shared.domain.draft import check
from shared.domain.errors import CandorError
from shared.domain.types import Draft
from shared.domain.vectors import Vector
from shared.rpc import clients, meaning_stubs
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from tests.services.audit.source import SIGNER
from tests.services.retrieve.serving import MINE, NOW, THEIRS
from tests.services.running import role
from tests.store.remembering import DIMENSIONS, Book

READ_ONLY_TABLES = (
    "memory",
    "memory_revision",
    "memory_tag",
    "memory_lexical",
    "memory_event",
    "memory_vector_g1",
    "assertion",
    "reference",
    "operation",
)


@dataclass
class Between(contradictions_pb2_grpc.ContradictionsServiceServicer):
    """Stands before judge: counts pairs, and fails as told."""

    inner: Contradictions
    pairs: list[int] = field(default_factory=list)
    failures: list[CandorError] = field(default_factory=list)
    cut: int | None = None

    async def JudgeContradictions(
        self, request: contradictions_pb2.JudgeContradictionsRequest, context: Context
    ) -> contradictions_pb2.JudgeContradictionsResponse:
        self.pairs.append(len(request.pairs))
        if self.failures:
            raise self.failures.pop(0)
        answer = await self.inner.JudgeContradictions(request, context)
        if self.cut is not None:
            del answer.verdicts[self.cut :]
        return answer


@dataclass(frozen=True, slots=True)
class Chain:
    """What a test talks to: audit, and what stands behind it."""

    via: grpc.aio.Channel
    mine: Book
    theirs: Book
    pool: Pool
    judge: Between
    dsns: migrate.Dsns

    async def audit(self, **given: Any) -> pb.AuditMeaningResponse:
        with rpc_errors():
            request = pb.AuditMeaningRequest(**{"tenant_id": str(MINE), **given})
            return await meaning_stubs.meaning_audit(self.via).AuditMeaning(request)

    async def stream(self, **given: Any) -> list[pb.StreamMeaningAuditResponse]:
        request = pb.StreamMeaningAuditRequest(**{"tenant_id": str(MINE), **given})
        with rpc_errors():
            return [line async for line in meaning_stubs.meaning_audit(self.via).StreamMeaningAudit(request)]

    async def digest(self) -> list[tuple[str, str]]:
        """Return a hash of every row of what an audit must not touch, of both tenants."""

        async def read(connection: Connection) -> list[tuple[str, str]]:
            found = []
            for table in READ_ONLY_TABLES:
                rows = await connection.fetchval(
                    f"SELECT md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) FROM {table} AS t"
                )
                found.append((table, str(rows)))
            return found

        return [*await run(self.pool, MINE, read), *await run(self.pool, THEIRS, read)]

    async def verdicts(self, tenant: UUID = MINE) -> int:
        async def read(connection: Connection) -> int:
            return int(await connection.fetchval("SELECT count(*) FROM verdict"))

        return await run(self.pool, tenant, read)


@asynccontextmanager
async def chain(
    database: migrate.Dsns, model: Chat | None, *, timeout_seconds: float = 8.0, **searching: int
) -> AsyncIterator[Chain]:
    """Start all roles. Without a model the rules judge. Audit itself has no database. `searching`: of PairSearch."""
    by = ModelJudge(model) if model else RuleJudge()
    about = Role(MEANING, by.model, False, model.ready, by.prompt_version) if model else LOCAL_JUDGE
    judge = Between(Contradictions(by, timeout_seconds=timeout_seconds, concurrent_pairs=4))
    async with AsyncExitStack() as stack:
        writer = await open_pool(database.writer, size=2, application_name="test")
        stack.push_async_callback(writer.close)
        reader = await open_pool(database.reader, size=2, application_name="test")
        stack.push_async_callback(reader.close)
        if model:
            stack.push_async_callback(model.close)
        search = PairSearch(reader, **searching)
        pairs = Pairs(reader, token_key=b"t" * 32, statement_key=b"s" * 32, now=lambda: NOW, search=search)
        to_retrieve = await stack.enter_async_context(role("retrieve", pairs))
        to_ingest = await stack.enter_async_context(role("ingest", Verdicts(writer, now=lambda: NOW)))
        to_judge = await stack.enter_async_context(role("judge", judge, Models([about])))
        judging = Judging(
            clients.models(to_judge), meaning_stubs.contradictions(to_judge), meaning_stubs.verdicts(to_ingest)
        )
        audit = MeaningAudit(meaning_stubs.pairs(to_retrieve), judging, SIGNER)
        via = await stack.enter_async_context(role("audit", audit))
        yield Chain(via, Book(writer, MINE), Book(writer, THEIRS), writer, judge, database)


def said(text: str, **given: Any) -> Draft:
    return check(**{"kind": "insight", "content": text, **given})


def at(degrees: float) -> Vector:
    """A direction in a plane."""
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[:2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vector


async def remember(book: Book, drafts: Sequence[Draft], when: datetime = NOW, step: float = 1.0) -> list[UUID]:
    """Write memories whose vectors lie a step apart: neighbours in the list are the nearest pairs."""
    return await book.add(drafts, when, [at(n * step) for n in range(len(drafts))])
