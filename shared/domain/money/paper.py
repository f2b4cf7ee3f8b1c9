"""A document's evidence as one JSON value: what a memory keeps of it, and back.

Rules: amounts and days are texts; what was not found is left out. Rows of a register that do not fit into metadata are
left out, and a note says so. What was read before is read again as the same evidence. It does not know memories.
Source: REQUIREMENTS E3 (evidence waits for what is missing); limits of metadata.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Any

from shared.domain.metadata import canonical_json
from shared.domain.money.amounts import plain
from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument, InvoiceEvidence
from shared.domain.types import Json

ROWS_MAX_BYTES = 48 * 1024  # of metadata.METADATA_MAX_BYTES, with room for the rest
SOURCES_MAX = 40  # places kept of one document (chosen, untested)
_DAYS = frozenset(("payment_date", "invoice_date"))
_TEXTS = frozenset(("doc_id", "filename", "doc_type", "company", "period", "currency", "event_ref"))
_TEXTS |= frozenset(("employee_id", "name", "invoice_ref", "vendor", "customer", "status"))
_APART = frozenset(("employees", "invoice", "missing", "notes", "sources"))


def written(document: ExtractedDocument) -> dict[str, Json]:
    """Return a document as JSON."""
    entries = _written(document)
    entries["missing"] = list(document.missing)
    entries["notes"] = list(document.notes)
    entries["sources"] = [[s.field, s.text, s.place] for s in document.sources[:SOURCES_MAX]]
    if document.invoice is not None:
        entries["invoice"] = _written(document.invoice)
    rows: list[Json] = [_written(row) for row in document.employees]
    if len(canonical_json(rows).encode()) > ROWS_MAX_BYTES:
        rows = []
        entries["notes"] = [*document.notes, "The rows of the register are not kept."]
    entries["employees"] = rows
    return {name: value for name, value in entries.items() if value not in ([], None)}


def read(entries: Mapping[str, Any]) -> ExtractedDocument:
    """Return the document that was written, without the places its fields were read at."""
    document: ExtractedDocument = _read(ExtractedDocument, entries)
    invoice = entries.get("invoice")
    return replace(
        document,
        doc_type=DocType(document.doc_type),
        employees=tuple(_read(EmployeeEvidence, row) for row in entries.get("employees", ())),
        invoice=None if invoice is None else _read(InvoiceEvidence, invoice),
        missing=tuple(entries.get("missing", ())),
        notes=tuple(entries.get("notes", ())),
    )


def _written(part: Any) -> dict[str, Json]:
    given = ((field.name, getattr(part, field.name)) for field in fields(part) if field.name not in _APART)
    return {name: _plain(value) for name, value in given if value is not None}


def _plain(value: object) -> Json:
    if isinstance(value, Decimal):
        return plain(value)
    return value if isinstance(value, int) else str(value)


def _read(kind: type[Any], entries: Mapping[str, Any]) -> Any:
    found = {
        f.name: _value(f.name, entries[f.name]) for f in fields(kind) if f.name in entries and f.name not in _APART
    }
    needed = {f.name: "" for f in fields(kind) if f.default is MISSING and f.default_factory is MISSING}
    return kind(**(needed | found))


def _value(name: str, value: Any) -> Any:
    if name in _DAYS:
        return date.fromisoformat(value)
    return value if name in _TEXTS or isinstance(value, int) else Decimal(value)


def words(value: StrEnum | str) -> str:
    """Return a word of the contract as a sentence says it."""
    return str(value).replace("_", " ")
