"""A tenant beside its exact scores: prepared questions, and how much of the exact best k an answer holds.

Rules: scores of every memory are computed once for all questions; a scope is a mask over them. Memories of a scope are
read by a plain statement of our own, not by the product's. It does not know how answers came about.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
from candor.retrieve.v1.recall_pb2 import RecallMemoriesRequest
from google.protobuf.json_format import ParseDict
from numpy.typing import NDArray

from services.retrieve.filters import Reader, scope_of
from services.retrieve.ranking import KEPT_LEAST, KEPT_PER_HIT
from shared import clock
from shared.store.pool import Connection
from shared.store.reads import recall
from shared.store.reads.scopes import Scope
from tests.bench.speed import cpu, oracle
from tests.bench.speed.direct import Direct, Prepared
from tests.bench.speed.figures import recall_at
from tests.bench.speed.oracle import Oracle, Scores

K = 20  # of B4
_TESTS = {"minImportance": "importance >=", "sourceRef": "source_ref =", "tags": "tags @>"}


@dataclass(frozen=True, slots=True)
class Found:
    """What the candidates' statements brought, best first: memories, whether all were scored, CPU of the session."""

    memories: list[UUID]
    is_exact: bool
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class Exact:
    """A tenant, and questions with the exact scores of all its memories."""

    direct: Direct
    oracle: Oracle
    asked: Sequence[Prepared]
    cosines: Sequence[Scores]
    bm25: Sequence[Scores]

    @classmethod
    async def of(cls, direct: Direct, tenant: str, texts: Sequence[str]) -> "Exact":
        """Read a tenant and score all of it for some questions."""
        asked, there = await direct.prepare(texts), await oracle.read(direct.home, tenant)
        queries = [question.query for question in asked]
        return cls(direct, there, asked, there.dense(queries), [there.lexical(query) for query in queries])

    async def inside(self, given: Mapping[str, object]) -> NDArray[np.bool_]:
        """Return which memories filters leave; the filters as a recall over HTTP writes them."""
        tests, values = ["tenant_id = $1", "state = 'active'"], [*given.values()]
        for place, name in enumerate(given, 2):
            tests.append(f"{_TESTS.get(name, f'{name} =')} ${place}")
        statement = f"SELECT memory_id FROM memory WHERE {' AND '.join(tests)}"

        async def read(connection: Connection) -> list[UUID]:
            rows = await connection.fetch(statement, self.direct.tenant_id, *values)
            return [row["memory_id"] for row in rows]

        return self.oracle.only(await self.direct.run(read))

    def scope(self, given: Mapping[str, object]) -> Scope:
        """Return the scope that filters mean to the service."""
        body: dict[str, Any] = {**given, "tenantId": str(self.direct.tenant_id)}
        if "kind" in body:
            body["kind"] = f"KIND_{body['kind'].upper()}"
        request = ParseDict(body, RecallMemoriesRequest())
        return scope_of(request, Reader(request), clock.now())

    async def candidates(self, number: int, scope: Scope) -> Found:
        """Find the candidates for one question."""
        question = self.asked[number]
        keeping = self.direct.keeping(question, max(KEPT_LEAST, KEPT_PER_HIT * K), ungrouped=True)

        async def work(connection: Connection) -> Found:
            session = connection.get_server_pid()
            before = cpu.of_session(session)
            brought = await recall.candidates(
                connection, scope, question.query, self.direct.generation, keeping, tenant_memories=question.memories
            )
            taken = cpu.of_session(session) - before
            return Found([candidate.memory_id for candidate in brought.found], brought.is_exact, taken)

        return await self.direct.run(work)

    def fused(self, number: int, inside: NDArray[np.bool_]) -> Scores:
        """Return the exact fused scores of a question, 0 for memories that are not in scope."""
        keeping = self.direct.keeping(self.asked[number], ungrouped=True)
        scores = np.zeros(len(inside), dtype=np.float32)
        scores[inside] = oracle.fused(self.cosines[number][inside], self.bm25[number][inside], keeping)
        return scores

    def fused_share(self, found: Sequence[UUID], number: int, inside: NDArray[np.bool_]) -> float:
        """Return how much of the exact fused best K is among the best K of some candidates.

        They are put in the order of both scores, as the service does: the statement's own order lacks a score where
        one arm did not bring the memory.
        """
        scores = self.fused(number, inside)
        ordered = sorted(found, key=lambda memory_id: -scores[self.oracle.places[memory_id]])
        return self.share(ordered, scores, inside)

    def share(self, found: Sequence[UUID], scores: Scores, inside: NDArray[np.bool_]) -> float:
        """Return how much of the exact best K in scope was found."""
        places = [self.oracle.places[memory_id] for memory_id in found[:K]]
        within = np.flatnonzero(inside)
        best = within[np.argsort(-scores[within], kind="stable")[:K]]
        counted = {*best.tolist(), *(place for place in places if inside[place])}
        return recall_at(K, places, {place: float(scores[place]) for place in counted})
