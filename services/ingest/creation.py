"""Creating memories: planned without a lock, carried out in one transaction that checks the plan again.

Rules: all or none. An identical open memory is kept and named, and costs no embedding; duplicates inside a batch
collapse onto the first. When the embedder is down nothing is written, unless the caller allows vectors to follow.
Source: REQUIREMENTS A1, A2, A4.
"""

from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from candor.ingest.v1 import memories_pb2
from google.protobuf.message import Message

from services.ingest.asking import PLANS_MAX, Ask, Means, contended, former_answer
from services.ingest.drafts import drafts_of
from services.ingest.embedder import mismatch
from services.ingest.revising import Derive
from shared.domain.errors import UpstreamUnavailable
from shared.domain.revision import Revision, average_length, whole
from shared.domain.types import Draft
from shared.domain.vectors import from_bytes, normalise
from shared.store.pool import Connection, run
from shared.store.writes import memories, plans, writing
from shared.store.writes.memories import Written
from shared.store.writes.plans import Basis, Generation
from shared.store.writes.vectors import Embedded
from shared.store.writes.writing import Entry, StalePlan

Respond = Callable[[Sequence[Written], UUID | None], Message]
"""The answer, given where each memory of the request stands and the operation; None if nothing was written."""
Also = Callable[[Connection, Sequence[Written]], Awaitable[None]]
"""What is written in the same transaction, given where each memory of the request stands."""


@dataclass(frozen=True, slots=True)
class New:
    """A memory to create, and the vector of its whole content where the caller gave one (empty: none)."""

    draft: Draft
    vector: bytes
    vector_model: str
    vector_field: str


@dataclass(frozen=True, slots=True)
class Item:
    """A memory of the request with all that follows from its text.

    `embedded` is its given vector where that was read before, and the generation it was read for.
    """

    new: New
    revision: Revision
    embedded: tuple[Generation, Embedded] | None = None


async def prepared(means: Means, tenant_id: UUID, draft: Draft, basis: Basis) -> Entry:
    """Return one memory ready to be written, with its vectors.

    Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE; FailedPrecondition EMBEDDING_GENERATION_MISMATCH.
    """
    return (await prepared_all(means, tenant_id, [draft], basis))[0]


async def prepared_all(means: Means, tenant_id: UUID, drafts: Sequence[Draft], basis: Basis) -> list[Entry]:
    """Return memories ready to be written, with their vectors, in one call of the embedder. Raises: as prepared."""
    derive = await means.revisions.of(tenant_id)
    items = await means.off_loop(len(drafts), lambda: [item_of(derive, New(draft, b"", "", "")) for draft in drafts])
    embedded = await _embedded(means, tenant_id, items, basis.generation, allow_pending=False)
    return _entries(items, embedded, basis, means.new_id)


def news_of(messages: Sequence[memories_pb2.NewMemory], *, in_batch: bool) -> list[New]:
    """Return the checked memories of a request.

    Raises: InvalidArgument naming every wrong field.
    """
    checked = drafts_of(messages, in_batch=in_batch)
    return [
        New(draft, message.embedding, message.embedding_model, f"memories[{i}].embedding" if in_batch else "embedding")
        for i, (draft, message) in enumerate(zip(checked, messages, strict=True))
    ]


def item_of(derive: Derive, new: New, embedded: tuple[Generation, Embedded] | None = None) -> Item:
    """Return a memory with all that follows from its text."""
    return Item(new, derive(new.draft), embedded)


async def create(
    means: Means, ask: Ask, news: Sequence[New], action: str, respond: Respond, *, allow_pending: bool
) -> bytes:
    """Write memories and return the answer, or the former answer of the same request.

    Raises: Conflict REQUEST_ID_REUSED; UpstreamUnavailable EMBEDDER_UNAVAILABLE; FailedPrecondition
    EMBEDDING_GENERATION_MISMATCH; InvalidArgument EMBEDDING_INVALID.
    """
    derive = await means.revisions.of(ask.tenant_id)
    items = await means.off_loop(len(news), lambda: [item_of(derive, new) for new in news])
    return await write(means, ask, items, action, respond, allow_pending=allow_pending)


async def write(
    means: Means,
    ask: Ask,
    items: Sequence[Item],
    action: str,
    respond: Respond,
    *,
    allow_pending: bool = False,
    is_staged: bool = False,
    also: Also | None = None,
) -> bytes:
    """Write memories that are ready, as `create` does; staged ones go beside the vector index."""
    for _ in range(PLANS_MAX):
        try:
            return await _attempt(means, ask, items, action, respond, allow_pending, is_staged, also)
        except StalePlan:
            continue
    raise contended()


async def _attempt(
    means: Means,
    ask: Ask,
    items: Sequence[Item],
    action: str,
    respond: Respond,
    allow_pending: bool,
    is_staged: bool,
    also: Also | None,
) -> bytes:
    distinct: dict[bytes, Item] = {}
    for item in items:
        distinct.setdefault(item.revision.identity_hash, item)

    async def read(connection: Connection) -> bytes | tuple[Basis, Mapping[bytes, Written]]:
        former = await former_answer(connection, ask.key)
        if former is not None:
            return former
        known = await memories.open_by_identity(connection, ask.tenant_id, list(distinct))
        return await plans.basis(connection, ask.tenant_id), known

    plan = await run(means.pool, ask.tenant_id, read, read_only=True)
    if isinstance(plan, bytes):
        return plan
    basis, known = plan
    fresh = [item for identity, item in distinct.items() if identity not in known]
    embedded = await _embedded(means, ask.tenant_id, fresh, basis.generation, allow_pending)
    entries = await means.off_loop(len(fresh), lambda: _entries(fresh, embedded, basis, means.new_id))
    entries += [
        Entry(written.memory_id, distinct[identity].revision, {}, None, known=True)
        for identity, written in known.items()
    ]
    recorded_at = means.now()
    operation = ask.operation(means.new_id(), action, recorded_at)
    derive = await means.revisions.of(ask.tenant_id)
    committed: list[Revision] = []

    async def work(connection: Connection) -> bytes:
        stands = await writing.create(
            connection, operation, basis.generation.number, entries, means.new_id, is_staged=is_staged, derive=derive
        )
        by_identity = {e.revision.identity_hash: w for e, w in zip(entries, stands, strict=True)}
        committed[:] = [e.revision for e, w in zip(entries, stands, strict=True) if w.revived or not w.existing]
        ordered = [
            w if distinct[identity] is item else replace(w, existing=True)
            for item in items
            for identity in (item.revision.identity_hash,)
            for w in (by_identity[identity],)
        ]
        if also is not None:
            await also(connection, ordered)
        return respond(ordered, operation.operation_id if committed else None).SerializeToString(deterministic=True)

    done = await means.once(ask, recorded_at, work)
    if done.is_first and committed:
        means.statistics.add(ask.tenant_id, committed)
        means.upkeep.note(ask.tenant_id, len(committed))
    return done.answer


async def _embedded(
    means: Means, tenant_id: UUID, items: Sequence[Item], generation: Generation, allow_pending: bool
) -> list[Embedded | None]:
    """Return the vectors of each item, in one batched call for all that come without; None: they may follow."""
    found = await means.off_loop(len(items), lambda: [_given(item, generation) for item in items])
    texts = [() if known else tuple(item.revision.embedded_texts()) for item, known in zip(items, found, strict=True)]
    try:
        made = await means.embedder.embed(tenant_id, [text for part in texts for text in part], generation)
    except UpstreamUnavailable:
        if not allow_pending:
            raise
        return found
    start = 0
    for position, part in enumerate(texts):
        if part:
            found[position] = Embedded(items[position].revision.passages, made[start : start + len(part)])
            start += len(part)
    return found


def _given(item: Item, generation: Generation) -> Embedded | None:
    if item.embedded is not None and item.embedded[0] == generation:
        return item.embedded[1]
    return given(item.new, generation)


def given(new: New, generation: Generation) -> Embedded | None:
    """Return the vector that came with a memory, if one did.

    Raises: FailedPrecondition EMBEDDING_GENERATION_MISMATCH, InvalidArgument EMBEDDING_INVALID.
    """
    if not new.vector:
        return None
    if new.vector_model != generation.model:
        raise mismatch(new.vector_model, len(new.vector) // 4, generation)
    vector = from_bytes(new.vector, generation.dimensions, field=new.vector_field)
    return Embedded(whole(new.draft.content), normalise(vector)[None, :])


def _entries(
    items: Sequence[Item], embedded: Sequence[Embedded | None], basis: Basis, new_id: Callable[[], UUID]
) -> list[Entry]:
    lengths = Counter(len(item.revision.terms) for item in items)
    average = average_length(lengths, memories=basis.memories, terms=basis.terms)
    return [
        Entry(new_id(), item.revision, item.revision.weights(average), vectors)
        for item, vectors in zip(items, embedded, strict=True)
    ]
