"""One document, read by rules: from lines, cells or an object of JSON to the fields of payroll and invoice evidence.

Rules: the same bytes give the same fields. What is not found is named, nothing is supposed; a document in which
nothing is known is of unknown type. A letterhead is the company of a payslip or a register and the seller of an
invoice, never of a bank's paper. An object of JSON is read by the contract and refused where it breaks it. It does
not know files and models.
Source: REQUIREMENTS E1; archon-behaviour 7.2.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from shared.domain.documents.contract import read_contract
from shared.domain.documents.declaring import Declared, with_declared
from shared.domain.documents.found import Found, find
from shared.domain.documents.invoices import invoice
from shared.domain.documents.labels import Sort, field_of, is_item_head
from shared.domain.documents.layout import Line
from shared.domain.documents.needs import missing_of
from shared.domain.documents.pairs import Pair, Standing
from shared.domain.documents.payrolls import bank, payslip, register
from shared.domain.documents.reading import Media, Reading
from shared.domain.documents.sorts import TITLE_LINES, is_title, named_side, sort_of
from shared.domain.documents.tables import item_lines, table_of
from shared.domain.documents.values import amount_of, days_of, period_of
from shared.domain.errors import InvalidArgument
from shared.domain.money.evidence import DocType, ExtractedDocument

LETTERHEAD_LINES, LETTERHEAD_MAX_CHARS = 2, 48
"""Within which a letterhead stands, and how long it is at most: more is a sentence. Chosen, untested."""

RULES_VERSION = "1"
"""Of what is read by rules; counted up when a document may be read otherwise."""

_VENDOR, _COMPANY = "vendor", "company"


def extract(reading: Reading, declared: Declared) -> tuple[ExtractedDocument, ...]:
    """Return what a document says, with what its caller says of it.

    Raises: InvalidArgument DOCUMENT_WRONG, DECLARATION_DIFFERS.
    """
    read = _by_contract(reading.text, declared) if reading.media is Media.JSON else _by_rules(reading, declared)
    return (with_declared(replace(read, notes=(*reading.notes, *read.notes)), declared),)


def _by_contract(text: str, declared: Declared) -> ExtractedDocument:
    try:
        value = json.loads(text, parse_float=Decimal, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidArgument.of("content", "DOCUMENT_WRONG", "is no JSON that can be read") from error
    read = read_contract(value, declared, "json")
    if isinstance(read, tuple):
        raise InvalidArgument.of("content", "DOCUMENT_WRONG", "; ".join(read))
    return read


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _by_rules(reading: Reading, declared: Declared) -> ExtractedDocument:
    lines, sheet = reading.placed, reading.is_table
    sort = sort_of(lines, declared.doc_type, sheet=sheet)
    start = ExtractedDocument(declared.doc_id, declared.filename)
    if sort is None:
        return replace(start, missing=missing_of(start))
    table = table_of(lines, sort, sheet=sheet) if sort in (Sort.REGISTER, Sort.BANK) else None
    taken = table.taken if table else item_lines(lines) if sort is Sort.INVOICE else frozenset()
    found = find(lines, sort, sheet=sheet, taken=taken, table=table, told=declared.currency)
    if sort is not Sort.BANK:
        _add_letterhead(found, lines, sort)
    company = found.text(_COMPANY) if sort is not Sort.INVOICE else None
    titles = [index for index, line in enumerate(lines[:TITLE_LINES]) if _titled(line)]
    period = found.period(titles) if sort is not Sort.INVOICE else None
    currency = next((source.field for source in found.sources if source.field == "currency"), None)
    start = replace(
        start,
        company=company,
        period=period,
        currency=found.currency if currency else None,
        event_ref=found.text("event_ref") if sort is not Sort.INVOICE else None,
    )
    match sort:
        case Sort.PAYSLIP:
            read = payslip(found, start)
        case Sort.REGISTER:
            read = register(found, start, table)
        case Sort.BANK:
            read = bank(found, start, table)
        case Sort.INVOICE:
            read = invoice(found, start, declared, named_side(lines))
    read = replace(read, sources=tuple(found.sources), notes=tuple(dict.fromkeys(found.notes)))
    # Of rows each refused amount is noted; what a document as a whole lacks is what it names by itself.
    refused = (name for name in found.refused if "[" not in name)
    return replace(read, missing=tuple(dict.fromkeys((*missing_of(read), *refused))))


def _titled(line: Line) -> bool:
    return any(is_title(phrase.text) for phrase in line.phrases)


def _add_letterhead(found: Found, lines: Sequence[Line], sort: Sort) -> None:
    """Take the first text at the top that is no title, label or value for who wrote, unless a label says so."""
    field = _VENDOR if sort is Sort.INVOICE else _COMPANY
    if found.pairs.get(field) or found.sheet:
        return
    for index, line in enumerate(lines[:LETTERHEAD_LINES]):
        texts = [phrase.text for phrase in line.phrases if not is_title(phrase.text)]
        for text in texts if len(texts) == 1 else ():
            plain = any(char.isalpha() for char in text) and ":" not in text and len(text) <= LETTERHEAD_MAX_CHARS
            said = is_title(text) or field_of(text, sort) or is_item_head(text)
            if plain and not said and not days_of(text) and not period_of(text) and amount_of(text, None) is None:
                found.pairs = {**found.pairs, field: [Pair(field, "", text, Standing.BELOW, index)]}
                return


def is_read(documents: Sequence[ExtractedDocument]) -> bool:
    """Tell whether rules made something of a document."""
    return all(document.doc_type is not DocType.UNKNOWN or document.invoice is not None for document in documents)
