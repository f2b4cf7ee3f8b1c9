"""The evidence of an answer: the hits, and the other sides of what they contest, as judge reads them.

Rules: evidence [n] is the nth hit; behind the hits come memories that hold the other values of a conflict in which a
hit takes part, the recommended one first, so that both sides can be cited. Of a long text the part around the best
passage is evidence; all texts together keep judge's budget. It does not know how an answer is written.
Source: REQUIREMENTS B8, B11.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from candor.judge.v1 import narrate_pb2 as judge

from services.retrieve.ranking import Hit, Ranked
from services.retrieve.reranking import Reranking
from shared.domain.evidence import CONTENT_MAX_CHARS, shares
from shared.domain.excerpt import excerpt
from shared.domain.findings import Contradiction
from shared.domain.support import Source
from shared.domain.types import MemoryState
from shared.domain.valid_time import held_until, lasts
from shared.rpc import wire
from shared.store.pool import Connection, Pool, run
from shared.store.reads import memories
from shared.store.reads.memories import Memory
from shared.store.reads.scopes import Scope

EVIDENCE_MAX = 20  # judge's contract
CONTESTED_MAX = 50  # judge's contract
CONTENT_MAX = 8_000  # characters; judge's contract
SIDES_MAX = 4  # other sides brought for one conflict; the values of all are told anyway; chosen, untested


@dataclass(frozen=True, slots=True)
class Exhibit:
    """A memory that an answer may cite, and the part of its text that is shown; `score` None: it did not rank."""

    memory: Memory
    text: str
    score: float | None

    @property
    def source(self) -> Source:
        """The memory as the plain list of a degraded answer quotes it."""
        moments = (self.memory.valid_from, self.memory.recorded_at)
        return Source(self.text, dates=tuple(moment.isoformat() for moment in moments if moment))


def exhibits(ranked: Ranked, reranking: Reranking, sides: Sequence[Memory]) -> tuple[Exhibit, ...]:
    """Return the evidence in the order of its markers."""
    hits = ranked.hits
    shown = [hit.memory for hit in hits] + list(sides)
    passages = [hit.passage or (0, 0, 0) for hit in hits] + [(0, 0, 0)] * len(sides)
    scores = [*map(reranking.score_of, hits), *[None] * len(sides)]
    budgets = shares([len(memory.content) for memory in shown], CONTENT_MAX_CHARS)
    return tuple(
        Exhibit(memory, excerpt(memory.content, start, end, min(budget, CONTENT_MAX)), score)
        for memory, (_, start, end), score, budget in zip(shown, passages, scores, budgets, strict=True)
    )


async def other_sides(pool: Pool, scope: Scope, ranked: Ranked) -> list[Memory]:
    """Read memories for the values that hits are contested by and that no hit carries."""
    wanted = list(dict.fromkeys(_missing(ranked.hits, ranked.contradictions)))[: EVIDENCE_MAX - len(ranked.hits)]
    if not wanted:
        return []

    async def read(connection: Connection) -> list[Memory]:
        found = [await memories.get(connection, scope.tenant_id, side, scope.known_at) for side in wanted]
        # The hits were read a moment earlier: what has ended since is no side any more.
        return [memory for memory in found if memory is not None and memory.state is MemoryState.ACTIVE]

    return await run(pool, scope.tenant_id, read, read_only=True)


def _missing(hits: Sequence[Hit], contradictions: Sequence[Contradiction]) -> Iterator[UUID]:
    shown = {hit.memory.memory_id for hit in hits}
    for found in contradictions:
        told = [value for value in found.values if shown & {value.memory_id, *value.carrier_memory_ids}]
        if not told:
            continue  # the hits are of this record, and silent about this attribute
        trusted = found.resolution.recommended_memory_id
        others = [value.memory_id for value in found.values if value not in told]
        yield from sorted(others, key=lambda memory_id: memory_id != trusted)[:SIDES_MAX]


def task_of(
    question: str, evidence: Sequence[Exhibit], ranked: Ranked, tenant_id: UUID, max_total_tokens: int
) -> judge.NarrationTask:
    """Write what judge is asked."""
    return judge.NarrationTask(
        question=question,
        evidence=[_message(exhibit, ranked.known_at) for exhibit in evidence],
        contested=[wire.contradiction(found, tenant_id) for found in ranked.contradictions[:CONTESTED_MAX]],
        max_total_tokens=max_total_tokens,
    )


def _message(exhibit: Exhibit, at: datetime) -> judge.Evidence:
    memory = exhibit.memory
    until = held_until(memory.state, memory.valid_to, memory.ended_at, at)
    return judge.Evidence(
        memory_id=str(memory.memory_id),
        kind=wire.to_kind(memory.kind),
        content=exhibit.text,
        observed_at=wire.to_timestamp(memory.valid_from),
        recorded_at=wire.to_timestamp(memory.recorded_at),
        source_ref=memory.source_ref,
        company=memory.company,
        period=memory.period,
        speaker=memory.speaker,
        metadata=memory.metadata,
        record=memory.record,
        counterparty=memory.counterparty,
        score=exhibit.score if exhibit.score is None else max(0.0, exhibit.score),
        held_until=wire.to_timestamp(until),
        lasts=lasts(memory.kind, memory.memory_type),
    )
