"""What documents were read as, and the account that they and all other entries make.

Rules: as in `results`; money and percentages are Decimal. It does not know where they come from.
Source: docs/documents.md; `/openapi.json`, which tests hold these fields against.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """What became of one document: `status` is accepted, existing or failed, and `reason` why it failed."""

    doc_id: str
    filename: str
    status: str
    doc_type: str
    record: str
    memory_id: str
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    reason: str
    field: str
    description: str


@dataclass(frozen=True, slots=True)
class DocumentsRead:
    """What documents came to. With `job_id` a job reads them, and nothing else is set."""

    events: int
    written: int
    memory_ids: tuple[str, ...]
    dry_run: bool
    extraction_models: tuple[str, ...]
    documents: tuple[DocumentResult, ...]
    job_id: str


@dataclass(frozen=True, slots=True)
class MoneySource:
    """The memories behind the figures of one side."""

    side: str
    entries: int
    memory_ids: tuple[str, ...]
    truncated: bool


@dataclass(frozen=True, slots=True)
class MoneyFigures:
    """The figures of one currency; None: it is not known."""

    currency: str | None
    records: int
    events: int
    employee_count: int
    employer_cost_total: Decimal | None
    cash_out_total: Decimal | None
    off_bank_cost: Decimal | None
    purchases_total: Decimal | None
    purchase_cash_out_total: Decimal | None
    purchase_cash_unknown_total: Decimal | None
    revenue_total: Decimal | None
    total_expenses: Decimal | None
    net_cash_outflow: Decimal | None
    net_profit: Decimal | None
    net_profit_margin_pct: Decimal | None
    sources: tuple[MoneySource, ...]


@dataclass(frozen=True, slots=True)
class ProfitAndLoss:
    """The account. The figures at the top are None unless one known currency is all there is."""

    currency: str | None
    currency_status: str
    unknown_currency_records: int
    total_expenses: Decimal | None
    revenue_total: Decimal | None
    net_profit: Decimal | None
    net_cash_outflow: Decimal | None
    by_currency: tuple[MoneyFigures, ...]
    unknown: MoneyFigures | None
    truncated: bool
    known_at: datetime | None
