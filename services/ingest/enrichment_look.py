"""What surrounds the facts of a turn: their lanes, memories of the same words, and neighbours worth judging.

Rules: the same look is taken to plan and, where something has changed meanwhile, again in the writing transaction. Only
a fact that may be written has a vector, and only such a one has neighbours. The gate is cheap: cosine, or shared rare
terms. What a lane decides is not judged, nor what cannot conflict: values of one slot of several. It judges nothing.
Source: REQUIREMENTS D3; synapse-behaviour 14.2.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple
from uuid import UUID

from services.ingest.enrichment_turn import Reading
from shared.domain.extraction.moods import Mood, mood
from shared.domain.extraction.prose import plain, written_out
from shared.domain.lanes import Lane, goes_on, lane_of, says_the_same
from shared.domain.setting import SLOT, SLOTS
from shared.domain.supersession import Held
from shared.domain.types import MemoryType
from shared.domain.vectors import Vector
from shared.store.pool import Connection
from shared.store.reads import enrichment
from shared.store.reads.enrichment import Neighbour
from shared.store.writes.plans import Basis

GATE_COSINE = 0.4  # a contradiction at 0.59 passes by far; unrelated sentences of MiniLM lie below 0.2
NEIGHBOURS = 10  # of a fact, by each of the two gates (chosen, untested)
SHARED_TERMS = 2
RARE_SHARE = 0.02  # of the tenant's memories (chosen, untested)
RARE_MAX_MEMORIES = 50  # bounds what the inverted index gives (chosen, untested)


class Pair(NamedTuple):
    """A fact, by its number in the turn, and a neighbour."""

    fact: int
    memory_id: UUID


@dataclass(slots=True)
class Look:
    """What was seen. `cosines` and `worth` are of pairs; `worth` are those to be judged."""

    held: dict[UUID, Held] = field(default_factory=dict)
    lanes: dict[Lane, list[UUID]] = field(default_factory=dict)
    restated: dict[bytes, list[UUID]] = field(default_factory=dict)
    neighbours: dict[UUID, Neighbour] = field(default_factory=dict)
    cosines: dict[Pair, float] = field(default_factory=dict)
    worth: list[Pair] = field(default_factory=list)

    def members(self, reading: Reading) -> tuple[UUID, ...]:
        """Return what is held of a fact's lane, or says its words."""
        if reading.lane is not None:
            return tuple(self.lanes.get(reading.lane, ()))
        return tuple(self.restated.get(reading.revision.content_hash, ()))

    def same(self, number: int, reading: Reading) -> tuple[UUID, ...]:
        """Return the memories that say the same as a fact in other words, or say more."""
        if reading.lane is not None:
            return tuple(one for one in self.members(reading) if goes_on(reading.told.value, self.held[one].value))
        return tuple(
            memory_id
            for memory_id, neighbour in self.neighbours.items()
            if neighbour.record_key == reading.record_key
            and neighbour.metadata == "{}"
            and says_the_same(neighbour.content, reading.fact.text, self.cosines.get(Pair(number, memory_id), 0.0))
        )

    def refined(self, reading: Reading) -> tuple[UUID, ...]:
        """Return the memories of which a fact says more."""
        if reading.lane is None:
            return ()
        return tuple(one for one in self.members(reading) if goes_on(self.held[one].value, reading.told.value))


async def look(
    connection: Connection,
    tenant_id: UUID,
    readings: Sequence[Reading],
    vectors: Mapping[int, Vector],
    basis: Basis,
) -> Look:
    """Read what surrounds the facts; `vectors` are those of facts that may be written, by their numbers."""
    seen = Look()
    lanes = {reading.lane for reading in readings if reading.lane is not None}
    attributes = sorted({(lane.record_key, lane.attribute) for lane in lanes})
    for said in await enrichment.lanes(connection, tenant_id, attributes):
        lane, value = lane_of(said.record_key, said.attribute, said.raw, said.canonical)
        seen.lanes.setdefault(lane, []).append(said.held.memory_id)
        seen.held[said.held.memory_id] = replace(said.held, value=value)
    hashes = sorted({reading.revision.content_hash for reading in readings if reading.lane is None})
    for content_hash, held in await enrichment.restated(connection, tenant_id, hashes):
        seen.restated.setdefault(content_hash, []).append(held.memory_id)
        seen.held.setdefault(held.memory_id, held)
    await look_around(connection, tenant_id, readings, vectors, basis, seen)
    return seen


async def look_around(
    connection: Connection,
    tenant_id: UUID,
    readings: Sequence[Reading],
    vectors: Mapping[int, Vector],
    basis: Basis,
    seen: Look,
) -> None:
    """Add the neighbours of those facts that have vectors to what is seen."""
    seen.worth = []
    if not vectors:
        return
    rare = min(RARE_MAX_MEMORIES, max(1, int(basis.memories * RARE_SHARE)))
    terms = sorted({term for number in vectors for term in readings[number].terms})
    told = frozenset(await enrichment.rare_terms(connection, tenant_id, terms, rare))
    for number, vector in vectors.items():
        reading = readings[number]
        if reading.before is not None:  # it has ended: it is beside nothing
            continue
        own = (connection, tenant_id, reading.record_key)
        generation = basis.generation.number
        nearest = await enrichment.nearest(*own, vector[0], generation, least_cosine=GATE_COSINE, most=NEIGHBOURS)
        seen.cosines |= {Pair(number, neighbour.held.memory_id): cosine for cosine, neighbour in nearest}
        near = {neighbour.held.memory_id: neighbour for _, neighbour in nearest}
        shared = [term for term in reading.terms if term in told]
        if len(shared) >= SHARED_TERMS:
            sharing = await enrichment.sharing(*own, shared, least=SHARED_TERMS, most=NEIGHBOURS)
            near |= {neighbour.held.memory_id: neighbour for neighbour in sharing}
        for memory_id, neighbour in near.items():
            seen.neighbours[memory_id] = neighbour
            seen.held.setdefault(memory_id, neighbour.held)
            if _is_worth(reading, neighbour):
                seen.worth.append(Pair(number, memory_id))


def _is_worth(reading: Reading, neighbour: Neighbour) -> bool:
    """Tell whether a pair is to be judged: values of slots are told apart by their slots, and what merely happened ends
    nothing ("made a flat white at home instead": it would fade, and what it ended with it). Two slots never exclude
    each other: a job title is no tech lead, and the slides are due beside the report. What holds under a condition and
    what holds without one stand beside each other.
    """
    if _is_conditional(reading.fact.text) != _is_conditional(neighbour.content):
        return False
    if not reading.fact.slot and reading.score.memory_type is MemoryType.EPISODIC:
        return False
    if not reading.fact.slot or neighbour.record_key != reading.record_key:
        return True
    return not any(slot.startswith((SLOT, SLOTS)) for slot in json.loads(neighbour.metadata))


def _is_conditional(text: str) -> bool:
    return mood(plain(written_out(text))) is Mood.CONDITIONAL
