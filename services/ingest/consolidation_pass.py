"""Consolidation, step by step: which repeats there are, and writing one digest in one transaction.

Rules: what is looked at is read in one snapshot and compared off the event loop; no transaction is open meanwhile, nor
while the embedder is asked. A digest is written only if every member still is as it was read: active, of the same
revision, and not to be left alone; else nothing is. Digest and ends are one transaction, some digests at a time: at any
instant either the members can be recalled or their digest, and each digest is an operation of its own. Digests of a
tenant are written one after another, so passes at the same time do together what one would do.
Source: REQUIREMENTS D4.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple
from uuid import UUID

from services.ingest import creation
from services.ingest.asking import Means
from shared.domain import digest
from shared.domain.clusters import LINK_COSINE, Candidate, Clustering, cluster, lane_of
from shared.domain.revision import Revision
from shared.domain.text import fold
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.reads import consolidation as reads
from shared.store.reads.consolidation import Place, Standing
from shared.store.writes import consolidation, endings, plans, writing
from shared.store.writes.consolidation import PlannedDigest
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation
from shared.store.writes.plans import Basis
from shared.store.writes.writing import Entry, StalePlan

ACTION, REASON = "consolidate", "told more than once"
NEIGHBOURS = 10  # of a memory (chosen, untested)


class Proposal(NamedTuple):
    """A digest to be written, in its sources' own words; those words apart, the newest first."""

    planned: PlannedDigest
    draft: Draft
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What a look found: where it ended, how many it looked at, and the digests to be written with their drafts."""

    end: Place | None  # None: there was nothing to look at
    examined: int = 0
    pairs: int = 0
    digests: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class _Seen:
    changed: tuple[Place, ...]
    edges: Sequence[tuple[UUID, UUID]]
    standings: Mapping[UUID, Standing]


@dataclass(frozen=True, slots=True)
class Intended:
    """A digest that is ready to be written, by an operation of its own."""

    planned: PlannedDigest
    entry: Entry
    operation_id: UUID


@dataclass(frozen=True, slots=True)
class Written:
    """A digest that was written, by which operation, and what it took the place of."""

    operation_id: UUID
    revision: Revision
    ended: tuple[Draft, ...]


Read = Callable[[Callable[[Connection], Awaitable[_Seen]]], Awaitable[_Seen]]
"""Reads in one snapshot."""


async def find(
    read: Read, tenant_id: UUID, after: Place | None, limit: int, new_id: Callable[[], UUID], *, only_settled: bool
) -> Found:
    """Look at the next memories and their neighbours; without `after` at those that the job has not looked at."""
    seen = await read(
        partial(_see, tenant_id=tenant_id, after=after, limit=limit, only_settled=only_settled),
    )
    if not seen.changed:
        return Found(None)
    clustering, drafts = await asyncio.to_thread(_compare, seen)
    digests = tuple(
        Proposal(
            PlannedDigest(new_id(), tuple((one, seen.standings[one].revision) for one in ids)),
            draft,
            digest.wordings([seen.standings[one].source for one in ids]),
        )
        for ids, draft in zip(clustering.clusters, drafts, strict=True)
        if draft is not None
    )
    return Found(seen.changed[-1], len(seen.changed), clustering.pairs, digests)


async def _see(connection: Connection, tenant_id: UUID, after: Place | None, limit: int, only_settled: bool) -> _Seen:
    generation = (await plans.generation(connection)).number
    if await reads.waits(connection, tenant_id, generation):
        return _Seen((), (), {})
    begin = await reads.cursor(connection, tenant_id) if after is None else after
    changed = await reads.changed(connection, tenant_id, begin, limit, only_settled=only_settled)
    ids = [place.memory_id for place in changed]
    edges = await reads.edges(connection, tenant_id, ids, generation, most=NEIGHBOURS, least_cosine=LINK_COSINE)
    involved = sorted({one for edge in edges for one in edge})
    return _Seen(tuple(changed), edges, await reads.sources(connection, tenant_id, involved, generation))


def _compare(seen: _Seen) -> tuple[Clustering, list[Draft | None]]:
    clustering = cluster(map(_candidate, seen.standings.values()), seen.edges)
    return clustering, [draft_of(seen.standings[one] for one in ids) for ids in clustering.clusters]


def _candidate(standing: Standing) -> Candidate:
    source = standing.source
    text = digest.told(source.draft, source.since).text
    return Candidate(source.memory_id, lane_of(source.draft, text), fold(text), standing.vector)


def draft_of(held: Iterable[Standing]) -> Draft | None:
    """Return the digest of memories; None where it would be too long."""
    return digest.digest([standing.source for standing in held])


async def standings(connection: Connection, tenant_id: UUID, planned: PlannedDigest) -> list[Standing] | None:
    """Return the members as they stand; None where one is not as it was planned."""
    generation = (await plans.generation(connection)).number
    return _members(planned, await reads.sources(connection, tenant_id, planned.ids, generation))


def _members(planned: PlannedDigest, found: Mapping[UUID, Standing]) -> list[Standing] | None:
    if any(one not in found or found[one].revision != revision for one, revision in planned.members):
        return None
    return [found[one] for one in planned.ids]


async def prepared(
    means: Means, tenant_id: UUID, digests: Sequence[tuple[PlannedDigest, Draft]], basis: Basis
) -> list[Intended]:
    """Return digests with their vectors, each an operation of its own. Raises: as creation.prepared."""
    entries = await creation.prepared_all(means, tenant_id, [draft for _, draft in digests], basis)
    return [
        Intended(planned, replace(entry, memory_id=planned.digest_id), means.new_id())
        for (planned, _), entry in zip(digests, entries, strict=True)
    ]


async def write(
    connection: Connection, operation: Operation, intended: Sequence[Intended], generation: int, means: Means
) -> list[Written]:
    """Write digests and end their members; those of which a member is not as it was planned any more are passed over.

    `operation` says who, why and when; each digest is an operation of its own.
    Raises: StalePlan where another memory says what a digest would: nothing is written then.
    """
    tenant_id = operation.tenant_id
    ids = sorted({one for each in intended for one in each.planned.ids})
    await consolidation.serialise(connection, tenant_id)
    await endings.lock(connection, tenant_id, ids)
    found = await reads.sources(connection, tenant_id, ids, generation)
    standing = [each for each in intended if _stands(each, found)]
    if not standing:
        return []
    own = {one: each.operation_id for each in standing for one in (each.planned.digest_id, *each.planned.ids)}
    operation = replace(operation, parts=own)
    made = await writing.create(connection, operation, generation, [each.entry for each in standing], means.new_id)
    if any(one.existing for one in made):
        raise StalePlan
    reason = operation.reason or REASON
    ending = [
        Ending(one, MemoryState.MERGED, reason, each.planned.digest_id) for each in standing for one in each.planned.ids
    ]
    ended = {one.memory_id: one.draft for one in await endings.end(connection, operation, ending, means.new_id)}
    await consolidation.inherit(connection, tenant_id, [each.planned for each in standing])
    return [
        Written(each.operation_id, each.entry.revision, tuple(ended[one] for one in each.planned.ids))
        for each in standing
    ]


def _stands(intended: Intended, found: Mapping[UUID, Standing]) -> bool:
    """Tell whether the members are as they were planned: what a digest counts, and all beside, follows from them."""
    held = _members(intended.planned, found)
    draft = None if held is None else draft_of(held)
    meant = intended.entry.revision.draft
    return draft is not None and digest.reworded(draft, digest.said_of(meant)) == meant
