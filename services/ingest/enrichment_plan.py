"""Planning where the facts of a turn go: what is seen, embedded and judged before anything is written.

Rules: no transaction is open while the embedder or judge is asked. What is asked once is kept for the next plan of the
same attempt. A verdict that was kept before is not paid for again; those of a judge that costs nothing are not kept.
Source: REQUIREMENTS C5, D3.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from candor.judge.v1.contradictions_pb2 import Statement, StatementPair

from services.ingest.asking import Means
from services.ingest.enrichment_judge import Description, Judge, Word
from services.ingest.enrichment_look import Look, Pair, look, look_around
from services.ingest.enrichment_turn import Reading
from services.ingest.runner import Turn as Attempt
from shared.domain.pairs import statement_hash
from shared.domain.placing import Placing, place
from shared.domain.vectors import Vector
from shared.rpc import wire
from shared.store.pool import Connection
from shared.store.reads import pairs
from shared.store.writes.plans import Basis
from shared.store.writes.verdicts import NewVerdict

JUDGED_ATTEMPTS = 5  # then a pair without a verdict no longer holds up the turn: an audit of meaning sees it again
DESCRIBED = timedelta(seconds=30)  # how long verdicts may be looked for under the former judge; chosen, untested


class Hashed(NamedTuple):
    """A pair's statements as verdicts are kept under, the smaller first, and the memories that made them."""

    first: bytes
    second: bytes
    first_memory_id: UUID
    second_memory_id: UUID


@dataclass(slots=True)
class Plan:
    """What is known when a turn is to be written, and the snapshot that it is at least as new as.

    `words` and `vectors` outlive a plan that went stale.
    """

    readings: Sequence[Reading]
    basis: Basis
    snapshot: str
    vectors: dict[int, Vector] = field(default_factory=dict)
    words: dict[Pair, Word] = field(default_factory=dict)
    new_verdicts: dict[Pair, NewVerdict] = field(default_factory=dict)
    judge: Description | None = None
    look: Look = field(default_factory=Look)

    def placings(self, seen: Look) -> list[Placing]:
        """Return the facts as they are to be placed among what is seen."""
        return [self._placing(number, reading, seen) for number, reading in enumerate(self.readings)]

    def lacks(self, seen: Look) -> bool:
        """Tell whether something is worth judging that was not judged."""
        return any(pair not in self.words for pair in seen.worth)

    def _placing(self, number: int, reading: Reading, seen: Look) -> Placing:
        opposed = [pair.memory_id for pair in seen.worth if pair.fact == number and self._excludes(pair)]
        if reading.lane and reading.lane.member and reading.former and not reading.fact.ends:
            opposed += seen.lanes.get(reading.lane._replace(member=reading.former), [])
        same = [memory_id for memory_id in seen.same(number, reading) if memory_id not in opposed]
        members = [*seen.members(reading), *(one for one in same if reading.lane is None)]
        return Placing(
            told=reading.told,
            lane=reading.lane or reading.revision.content_hash,
            members=tuple(one for one in dict.fromkeys(members) if one not in opposed),
            same=same,
            refined=seen.refined(reading),
            opposed=tuple(dict.fromkeys(opposed)),
            corrects=reading.fact.corrects,
            before=reading.before,
            former=reading.former if reading.fact.ends and not reading.fact.multi else "",
        )

    def _excludes(self, pair: Pair) -> bool:
        word = self.words.get(pair)
        return word is not None and word.excludes


class Planner:
    """Makes plans."""

    def __init__(self, means: Means, judge: Judge, statement_key: bytes) -> None:
        self._means = means
        self._judge = judge
        self._statement_key = statement_key
        self._described_by: tuple[Description, datetime] | None = None

    async def plan(self, attempt: Attempt, plan: Plan) -> None:
        """Look around, embed what may be written, and judge what is near it; what was asked before is known."""
        tenant_id = attempt.attempt.tenant_id

        async def first(connection: Connection) -> Look:
            return await look(connection, tenant_id, plan.readings, {}, plan.basis)

        plan.look = await attempt.read(first)
        await self._embed(tenant_id, plan)
        if plan.vectors:
            await self._judge_neighbours(attempt, tenant_id, plan)

    async def _embed(self, tenant_id: UUID, plan: Plan) -> None:
        """Embed the facts that may be written."""
        placed = place([replace(one, opposed=()) for one in plan.placings(plan.look)], plan.look.held)
        written = frozenset(placed.written)
        lacking = [
            number
            for number, reading in enumerate(plan.readings)
            if reading.told.memory_id in written and number not in plan.vectors
        ]
        texts = [plan.readings[number].revision.embedded_texts() for number in lacking]
        if not lacking:
            return
        flat = [text for part in texts for text in part]
        made = await self._means.embedder.embed(tenant_id, flat, plan.basis.generation)
        start = 0
        for number, part in zip(lacking, texts, strict=True):
            plan.vectors[number] = made[start : start + len(part)]
            start += len(part)

    async def _judge_neighbours(self, attempt: Attempt, tenant_id: UUID, plan: Plan) -> None:
        async def second(connection: Connection) -> None:
            await look_around(connection, tenant_id, plan.readings, plan.vectors, plan.basis, plan.look)

        await attempt.read(second)
        asked = [pair for pair in plan.look.worth if pair not in plan.words]
        if not asked:
            return
        if plan.judge is None:
            plan.judge = await self._described()
        hashes = {} if plan.judge.local else {pair: self._hashed(tenant_id, plan, pair) for pair in asked}
        plan.words |= await self._kept(attempt, tenant_id, plan.judge, hashes)
        asked = [pair for pair in asked if pair not in plan.words]
        is_last_time = attempt.attempt.number >= JUDGED_ATTEMPTS
        statements = [_statements(plan, pair) for pair in asked]
        words = await self._judge.words(tenant_id, statements, is_last_time=is_last_time)
        plan.words |= dict(zip(asked, words, strict=True))
        plan.new_verdicts |= {
            pair: NewVerdict(*hashes[pair], word.verdict, word.confidence, word.reason[:500])
            for pair, word in zip(asked, words, strict=True)
            if pair in hashes and word.verdict
        }

    async def _described(self) -> Description:
        """Return who judges meaning, asked once in a while: another one comes with a restart of judge."""
        now = self._means.real_now()
        if self._described_by is None or now >= self._described_by[1]:
            self._described_by = await self._judge.describe(), now + DESCRIBED
        return self._described_by[0]

    async def _kept(
        self, attempt: Attempt, tenant_id: UUID, judge: Description, hashes: Mapping[Pair, Hashed]
    ) -> dict[Pair, Word]:
        """Return the words that were said before."""
        if not hashes:
            return {}
        keys = [(one.first, one.second) for one in hashes.values()]

        async def read(connection: Connection) -> dict[tuple[bytes, bytes], pairs.StoredVerdict]:
            return await pairs.verdicts(connection, tenant_id, keys, judge.model, judge.prompt_version)

        kept = await attempt.read(read)
        return {
            pair: Word(said.verdict, said.confidence, said.reason)
            for pair, one in hashes.items()
            if (said := kept.get((one.first, one.second))) is not None
        }

    def _hashed(self, tenant_id: UUID, plan: Plan, pair: Pair) -> Hashed:
        """Return what the statements of a pair are known by, as an audit of meaning knows them."""
        reading, neighbour = plan.readings[pair.fact], plan.look.neighbours[pair.memory_id]
        draft = reading.revision.draft
        sides = [
            (draft.content, draft.speaker, draft.period, draft.kind.value, reading.told.since, reading.told.memory_id),
            (
                *(neighbour.content, neighbour.speaker, neighbour.period, neighbour.kind),
                *(neighbour.held.since, pair.memory_id),
            ),
        ]
        hashed = sorted(
            (statement_hash(tenant_id, self._statement_key, *map(str_or_none, side[:4]), side[4].isoformat()), side[5])
            for side in sides
        )
        return Hashed(hashed[0][0], hashed[1][0], hashed[0][1], hashed[1][1])


def str_or_none(value: object) -> str | None:
    """Return a part of a statement."""
    return None if value is None else str(value)


def _statements(plan: Plan, pair: Pair) -> StatementPair:
    """Return what judge is given of a pair."""
    reading, neighbour = plan.readings[pair.fact], plan.look.neighbours[pair.memory_id]
    draft = reading.revision.draft
    return StatementPair(
        first=Statement(
            text=draft.content,
            subject=draft.speaker,
            period=draft.period,
            observed_at=wire.to_timestamp(reading.told.since),
            kind=draft.kind.value,
        ),
        second=Statement(
            text=neighbour.content,
            subject=neighbour.speaker,
            period=neighbour.period,
            observed_at=wire.to_timestamp(neighbour.held.since),
            kind=neighbour.kind,
        ),
    )
