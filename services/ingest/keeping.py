"""Keeping memories as the present state of their records: new where there is none, a revision where it has changed.

Rules: all in one transaction, after the embedder was asked. What a plan rests on is looked at again then; writes under
one lock run one after the other. What stays as it is costs no embedding. What a human decided on a memory (importance,
pins, labels) stays. It does not know what records are.
Source: REQUIREMENTS A1, E3.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from services.ingest.asking import PLANS_MAX, Ask, Means, contended, former_answer
from services.ingest.revising import Derive
from shared.domain import patch as patches
from shared.domain.patch import EMBEDDED, Changes
from shared.domain.records import record_key
from shared.domain.revision import Revision, average_length
from shared.domain.text import company_key
from shared.domain.types import Draft
from shared.store.pool import Connection, run
from shared.store.writes import money, plans, writing
from shared.store.writes.memories import Written
from shared.store.writes.money import Held
from shared.store.writes.plans import Basis, Generation
from shared.store.writes.vectors import Embedded
from shared.store.writes.writing import Entry, Patch, StalePlan

_TAKEN_OVER = ("content", "metadata", "references", "period", "source_ref", "counterparty")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Memories as they are to stand, all of one company, and what that was concluded from."""

    drafts: tuple[Draft, ...]
    basis: object


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the memories stand, in the order they were wanted; `operation_id` is None when nothing was written."""

    stands: tuple[Written, ...]
    written: int
    operation_id: UUID | None


Plan = Callable[[Connection], Awaitable[Wanted]]
"""Concludes what is wanted; asked again inside the transaction."""
Respond = Callable[[Kept], bytes]


@dataclass(frozen=True, slots=True)
class _Change:
    """A memory that is to be revised."""

    held: Held
    revision: Revision
    changes: Changes

    @property
    def is_embedded(self) -> bool:
        return bool(EMBEDDED & self.changes.keys())


async def keep(means: Means, ask: Ask, action: str, lock: str, plan: Plan, respond: Respond) -> bytes:
    """Bring memories to the state that is wanted and return the answer, or the former answer of the same request.

    Raises: what the plan raises; Conflict REQUEST_ID_REUSED; UpstreamUnavailable EMBEDDER_UNAVAILABLE.
    """
    for _ in range(PLANS_MAX):
        try:
            return await _attempt(means, ask, action, lock, plan, respond)
        except StalePlan:
            continue
    raise contended()


async def _attempt(means: Means, ask: Ask, action: str, lock: str, plan: Plan, respond: Respond) -> bytes:
    async def read(connection: Connection) -> bytes | tuple[Wanted, Basis, list[Held | None]]:
        former = await former_answer(connection, ask.key)
        if former is not None:
            return former
        wanted = await plan(connection)
        return (
            wanted,
            await plans.basis(connection, ask.tenant_id),
            await _held(connection, ask.tenant_id, wanted.drafts),
        )

    found = await run(means.pool, ask.tenant_id, read, read_only=True)
    if isinstance(found, bytes):
        return found
    wanted, basis, held = found
    derive = await means.revisions.of(ask.tenant_id)
    fresh, changed = await means.off_loop(len(wanted.drafts), lambda: _sorted(derive, wanted.drafts, held))
    texts = [*fresh, *(change.revision for change in changed if change.is_embedded)]
    embedded = await _embedded(means, ask.tenant_id, texts, basis.generation)
    lengths = Counter(len(revision.terms) for revision in (*fresh, *(change.revision for change in changed)))
    average = average_length(lengths, memories=basis.memories, terms=basis.terms)
    entries = [Entry(means.new_id(), one, one.weights(average), embedded[id(one)]) for one in fresh]
    recorded_at = max((means.now(), *(one.current.recorded_at for one in held if one)))
    operation = ask.operation(means.new_id(), action, recorded_at)
    committed: list[Revision] = []

    async def work(connection: Connection) -> bytes:
        await money.serialise(connection, ask.tenant_id, lock)
        if (await plan(connection)).basis != wanted.basis:
            raise StalePlan
        again = await _held(connection, ask.tenant_id, wanted.drafts)
        if [one and (one.memory_id, one.current.revision) for one in again] != [
            one and (one.memory_id, one.current.revision) for one in held
        ]:
            raise StalePlan
        number = basis.generation.number
        made: list[Written] = []
        if entries:
            made = await writing.create(connection, operation, number, entries, means.new_id, derive=derive)
        revised: dict[UUID, Written] = {}
        for position, change in enumerate(changed):
            # One operation holds one sort of event: each revision after the first write has an operation of its own.
            own = operation if not entries and position == 0 else replace(operation, operation_id=means.new_id())
            patch = _patch(change, average, embedded.get(id(change.revision)))
            revised[change.held.memory_id] = await writing.patch(connection, own, number, patch, means.new_id)
        new = iter(made)
        stands = tuple(next(new) if one is None else revised.get(one.memory_id) or _standing(one) for one in held)
        committed[:] = [e.revision for e, w in zip(entries, made, strict=True) if not w.existing]
        written = len(committed) + len(revised)
        return respond(Kept(stands, written, operation.operation_id if written else None))

    done = await means.once(ask, recorded_at, work)
    if done.is_first and (committed or changed):
        replaced = [derive(change.held.draft) for change in changed]
        means.statistics.add(ask.tenant_id, [*committed, *(change.revision for change in changed)], replaced=replaced)
        means.upkeep.note(ask.tenant_id, len(committed) + len(changed))
    return done.answer


async def _held(connection: Connection, tenant_id: UUID, drafts: Sequence[Draft]) -> list[Held | None]:
    """Return the memory that each draft's record has now."""
    if not drafts:
        return []
    keys = [record_key(draft.record, draft.source_ref) or "" for draft in drafts]
    company = company_key(drafts[0].company or "")
    found = await money.of_records(connection, tenant_id, company, keys)
    return [found.get((draft.kind, key)) for draft, key in zip(drafts, keys, strict=True)]


def _sorted(
    derive: Derive, drafts: Sequence[Draft], held: Sequence[Held | None]
) -> tuple[list[Revision], list[_Change]]:
    fresh: list[Revision] = []
    changed: list[_Change] = []
    for draft, one in zip(drafts, held, strict=True):
        if one is None:
            fresh.append(derive(draft))
            continue
        values = {name: getattr(draft, "metadata_json" if name == "metadata" else name) for name in _TAKEN_OVER}
        after = patches.patched(one.draft, values)
        changes = patches.changes(one.draft, after)
        if changes:
            changed.append(_Change(one, derive(after), changes))
    return fresh, changed


async def _embedded(
    means: Means, tenant_id: UUID, revisions: Sequence[Revision], generation: Generation
) -> dict[int, Embedded]:
    texts = [revision.embedded_texts() for revision in revisions]
    made = await means.embedder.embed(tenant_id, [text for part in texts for text in part], generation)
    found: dict[int, Embedded] = {}
    start = 0
    for revision, part in zip(revisions, texts, strict=True):
        found[id(revision)] = Embedded(revision.passages, made[start : start + len(part)])
        start += len(part)
    return found


def _patch(change: _Change, average: float, embedded: Embedded | None) -> Patch:
    current = change.held.current
    return Patch(
        memory_id=change.held.memory_id,
        number=current.revision + 1,
        revision=change.revision,
        weights=change.revision.weights(average),
        embedded=embedded,
        vector_pending=current.vector_pending and embedded is None,
        changes=patches.changes_json(change.changes),
    )


def _standing(held: Held) -> Written:
    current = held.current
    return Written(held.memory_id, current.revision, True, current.vector_pending, current.recorded_at)
