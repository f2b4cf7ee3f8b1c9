"""Writing payroll events: whole ones as they come, and those that are put together from documents piece by piece.

Rules: what is on record of an event and what came now are fused anew each time; what contradicts is refused alone. The
documents of an event and all that follows from them are written in one transaction. It does not know how documents are
read, nor what is answered.
Source: REQUIREMENTS E1, E3; archon-behaviour 1.12, 7.7.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from services.ingest.asking import Ask, Means
from services.ingest.keeping import Kept, Respond, Wanted, keep
from shared.domain.errors import Conflict, InvalidArgument
from shared.domain.metadata import parse
from shared.domain.money import drafts, linking, paper
from shared.domain.money.evidence import DocType
from shared.domain.money.ledger import entries_of_draft
from shared.domain.money.linking import LinkedEvent, Piece
from shared.domain.money.payroll import PayrollEvent
from shared.domain.money.rules import RuleBands, RuleResult, evaluate
from shared.domain.records import reference_key
from shared.domain.text import company_key
from shared.domain.types import Draft, MemoryKind
from shared.store.pool import Connection, run
from shared.store.writes import money
from shared.store.writes.memories import Written
from shared.store.writes.money import Held

ACTION = "ingest-payroll"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the documents of an event say: those on record and the new ones, of which some were refused by position."""

    linked: LinkedEvent
    event: PayrollEvent | None
    results: tuple[RuleResult, ...]
    refused: Mapping[int, InvalidArgument]
    known: Mapping[str, Held]  # documents on record, by id
    drafts: tuple[Draft, ...]  # the new documents that were taken, then the event's memories
    documents: int  # how many of the drafts are documents


@dataclass(frozen=True, slots=True)
class Settled:
    """A conclusion and where its memories stand; without any in a dry run."""

    conclusion: Conclusion
    stands: tuple[Written, ...]
    written: int


async def keep_event(means: Means, ask: Ask, event: PayrollEvent, respond: Respond) -> bytes:
    """Write an event that is whole. Raises: Conflict EVENT_CONTRADICTS, and those of a write."""
    wanted = drafts.event(event, None, ())

    async def plan(connection: Connection) -> Wanted:
        key = reference_key(event.event_id) or ""
        found = await money.of_records(connection, ask.tenant_id, company_key(event.company), [key])
        held = found.get((MemoryKind.PAYROLL_EVENT, key))
        if held is not None and _figures(held.draft) != _figures(wanted[0]):
            raise Conflict(
                "EVENT_CONTRADICTS",
                "the event is on record with other figures; give feedback on its memory to correct it",
                metadata={"event_id": event.event_id, "memory_id": str(held.memory_id)},
            )
        return Wanted(wanted, held and held.memory_id)

    return await keep(means, ask, ACTION, event.event_id, plan, respond)


async def settle(means: Means, ask: Ask, pieces: Sequence[Piece], bands: RuleBands, *, dry_run: bool) -> Settled:
    """Put documents of one event together with what is on record, and write what follows."""
    tenant_id, first = ask.tenant_id, pieces[0]
    latest: list[Conclusion] = []
    kept: list[Kept] = []

    async def plan(connection: Connection) -> Wanted:
        found = await _papers(connection, tenant_id, first)
        if not latest or _standing(latest[-1].known) != _standing(found):
            latest.append(_concluded(found, pieces, bands))
        return Wanted(latest[-1].drafts, _standing(found))

    def respond(done: Kept) -> bytes:
        kept[:] = [done]
        return b""

    if dry_run:
        await run(means.pool, tenant_id, plan, read_only=True)
        return Settled(latest[-1], (), 0)
    await keep(means, replace(ask, key=None), ACTION, first.event_id, plan, respond)
    return Settled(latest[-1], kept[0].stands, kept[0].written)


async def _papers(connection: Connection, tenant_id: UUID, piece: Piece) -> dict[str, Held]:
    """Return the documents that are on record of a piece's event, by id."""
    key = reference_key(piece.event_id) or ""
    held = await money.papers(connection, tenant_id, company_key(piece.company), key)
    found = ((_paper_id(one), one) for one in held)
    return {doc_id: one for doc_id, one in found if doc_id is not None}


def _concluded(known: Mapping[str, Held], pieces: Sequence[Piece], bands: RuleBands) -> Conclusion:
    before = [found for held in known.values() if (found := _piece(held)) is not None]
    linked, refused = linking.fuse([*before, *pieces])
    new = {position - len(before): error for position, error in refused.items() if position >= len(before)}
    event = linking.event_of(linked)
    results = evaluate(linked, bands) if event else ()
    taken = {one.doc_id: one for position, one in enumerate(pieces) if position not in new}
    papers = tuple(drafts.document(one) for doc_id, one in taken.items() if doc_id not in known)
    event_drafts = drafts.event(event, linked, results) if event else ()
    return Conclusion(linked, event, results, new, known, (*papers, *event_drafts), len(papers))


def _paper_id(held: Held) -> str | None:
    entries = parse(held.draft.metadata_json).get("paper")
    doc_id = entries.get("doc_id") if isinstance(entries, dict) else None
    return doc_id if isinstance(doc_id, str) else None


def _piece(held: Held) -> Piece | None:
    """Return what a document on record says; None when somebody has changed it to something else."""
    entries = parse(held.draft.metadata_json)
    try:
        document = paper.read(entries["paper"])  # type: ignore[arg-type]  # an object: it has an id
        return linking.piece(replace(document, doc_type=DocType(str(entries.get("doc_type", document.doc_type)))))
    except (InvalidArgument, ValueError, TypeError, ArithmeticError):
        return None


def _standing(known: Mapping[str, Held]) -> tuple[tuple[UUID, int], ...]:
    return tuple((one.memory_id, one.current.revision) for one in known.values())


def _figures(draft: Draft) -> object:
    """Return what an event's summary says of money, without where it came from."""
    entries = parse(draft.metadata_json)
    return entries_of_draft(draft), entries.get("employee_count"), entries.get("payment_date")
