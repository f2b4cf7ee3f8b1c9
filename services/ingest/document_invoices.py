"""Writing invoices: one memory for each, a revision for each state it moves to.

Rules: the memory is found by the invoice's record, so a correction of it is what the next state follows. What may
follow what is decided by domain/money/invoice_states.py. It does not know where invoices are read from.
Source: REQUIREMENTS E3; archon-behaviour 7.9.
"""

from uuid import UUID

from services.ingest.asking import Ask, Means
from services.ingest.keeping import Respond, Wanted, keep
from shared.domain.metadata import parse
from shared.domain.money import drafts
from shared.domain.money.invoice import Invoice
from shared.domain.money.invoice_states import follows
from shared.domain.money.ledger import LedgerEntry, entries_of_draft
from shared.domain.records import reference_key
from shared.domain.text import company_key
from shared.domain.types import Draft, MemoryKind
from shared.store.pool import Connection, run
from shared.store.writes import money

ACTION = "ingest-invoice"


async def keep_invoice(means: Means, ask: Ask, invoice: Invoice, respond: Respond) -> bytes:
    """Bring an invoice's memory to its present state.

    Raises: Conflict INVOICE_CONTRADICTS, INVOICE_STATE_PAST, and those of a write.
    """

    async def plan(connection: Connection) -> Wanted:
        draft = await wanted(connection, ask.tenant_id, invoice)
        return Wanted((draft,), draft)

    return await keep(means, ask, ACTION, invoice.record, plan, respond)


async def check(means: Means, tenant_id: UUID, invoice: Invoice) -> None:
    """Tell whether an invoice could be written. Raises: as keep_invoice."""
    await run(means.pool, tenant_id, lambda connection: wanted(connection, tenant_id, invoice), read_only=True)


async def wanted(connection: Connection, tenant_id: UUID, invoice: Invoice) -> Draft:
    """Return the memory as it is to stand. Raises: Conflict INVOICE_CONTRADICTS, INVOICE_STATE_PAST."""
    draft = drafts.invoice(invoice)
    key = reference_key(invoice.record) or ""
    held = (await money.of_records(connection, tenant_id, company_key(invoice.company), [key])).get(
        (MemoryKind.INVOICE, key)
    )
    before = entries_of_draft(held.draft) if held else ()
    if held is None or not before:
        return draft
    if not follows(before[0], invoice) or _says_the_same(held.draft, before[0], draft):
        return held.draft
    return draft


def _says_the_same(held: Draft, before: LedgerEntry, draft: Draft) -> bool:
    """Tell whether a state differs from the one on record in spelling alone."""
    (after,) = entries_of_draft(draft)
    paid_on, known = (parse(one.metadata_json).get("payment_date") for one in (draft, held))
    same_cash = (after.cash_status, after.cash) == (before.cash_status, before.cash)
    return same_cash and after.amount == before.amount and paid_on in (None, known)
