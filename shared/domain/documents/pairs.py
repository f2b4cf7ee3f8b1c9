"""Labels and the values that belong to them, by where they stand: within a phrase, to the right, or below.

Rules: a value is what its field can hold: an amount, a count, a day, a period, a currency, or a text that is no label
itself. What stands in the same phrase counts before what stands to the right, and that before what stands below. A
label is looked for a value up to the next label only. It does not know what a document needs.
Source: layouts of fixtures/documents/build.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, unique

from shared.domain.documents.labels import Sort, field_of
from shared.domain.documents.layout import Line, Phrase
from shared.domain.documents.values import amount_of, count_of, currency_stated, days_of, period_of
from shared.domain.money.amounts import known_currency

BELOW_LINES, BELOW_OF_HEIGHT = 2, 1.6
"""How far below a label its value may stand: lines, and the gap as a share of the line's height. Chosen, untested."""

PREFIX_WORDS = 12
"""Of a phrase that begins with a label and ends with its value. Chosen, untested."""

MAX_TEXT_CHARS = 128
"""Of a name, a company, a number of an invoice. As money.invoice.REF_MAX_CHARS."""

MONEY_FIELDS = frozenset(
    "gross net tax employee_social_security employer_social_security employer_cost total total_plain total_due "
    "net_total tax_total paid_amount balance".split()
)
DAY_FIELDS = frozenset(("payment_date", "invoice_date", "due_date"))
_COLONS = (":", "：")


@unique
class Standing(IntEnum):
    """Where a value stands, the surest first."""

    WITHIN = 0
    RIGHT = 1
    BELOW = 2


@dataclass(frozen=True, slots=True)
class Pair:
    """A field, its label and value as they are written, where the value stands, and the line by its index."""

    field: str
    label: str
    value: str
    standing: Standing
    line: int


def fits(field: str, text: str) -> bool:
    """Tell whether a text can be the value of a field."""
    text = text.strip()
    if not text:
        return False
    if field in MONEY_FIELDS:
        return amount_of(text, None) is not None and not days_of(text)
    if field == "count":
        return count_of(text) is not None
    if field in DAY_FIELDS:
        return bool(days_of(text))
    if field == "period":
        return period_of(text) is not None
    if field == "currency":
        return known_currency(text) is not None or currency_stated(f"currency {text}") is not None
    if field in ("employee_id", "invoice_ref", "order_ref", "event_ref"):
        return len(text) <= MAX_TEXT_CHARS and any(char.isalnum() for char in text)
    return len(text) <= MAX_TEXT_CHARS and any(char.isalpha() for char in text)


def pairs_of(lines: Sequence[Line], sort: Sort, taken: frozenset[int] = frozenset()) -> Iterator[Pair]:
    """Yield what labels say, from top to bottom and left to right; lines that are `taken` hold none."""
    for index, line in enumerate(lines):
        if index in taken:
            continue
        for place, phrase in enumerate(line.phrases):
            within = _within(phrase.text, sort)
            if within is not None:
                yield Pair(*within, Standing.WITHIN, index)
                continue
            field = field_of(phrase.text, sort)
            if field is None:
                continue
            right = _right(line.phrases[place + 1 :], field, sort)
            if right is not None:
                yield Pair(field, phrase.text, right, Standing.RIGHT, index)
            elif not line.phrases[place + 1 :] or field_of(line.phrases[place + 1].text, sort) is not None:
                below = _below(lines, index, phrase, field, sort, taken)
                if below is not None:
                    yield Pair(field, phrase.text, below[0], Standing.BELOW, below[1])


def _within(text: str, sort: Sort) -> tuple[str, str, str] | None:
    """Part a phrase that holds both: at a colon, else where what is left of it is a label and the rest its value."""
    for colon in _COLONS:
        label, found, value = text.partition(colon)
        field = field_of(label, sort) if found else None
        if field is not None and fits(field, value):
            return field, label, value.strip()
    words = text.split()
    if len(words) > PREFIX_WORDS:
        return None
    for count in range(len(words) - 1, 0, -1):
        label, value = " ".join(words[:count]), " ".join(words[count:])
        field = field_of(label, sort)
        if field is not None and _is_typed(field) and fits(field, value):
            return field, label, value
    return None


def _is_typed(field: str) -> bool:
    return field in MONEY_FIELDS or field in DAY_FIELDS or field in ("count", "period", "currency")


def _right(phrases: Sequence[Phrase], field: str, sort: Sort) -> str | None:
    for place, phrase in enumerate(phrases):
        text = phrase.text.strip(" :：")
        if fits(field, text) and (_is_typed(field) or field_of(text, sort) is None):
            after = phrases[place + 1].text if place + 1 < len(phrases) else ""
            return f"{text} {after}" if field in MONEY_FIELDS and known_currency(after) else text
        if field_of(text, sort) is not None or _within(text, sort) is not None:
            return None
        joined = f"{text} {phrases[place + 1].text}" if place + 1 < len(phrases) else ""
        if joined and known_currency(text) and fits(field, joined):
            return joined
        if not _is_typed(field) and text:
            return None
    return None


def _below(
    lines: Sequence[Line], index: int, label: Phrase, field: str, sort: Sort, taken: frozenset[int]
) -> tuple[str, int] | None:
    line = lines[index]
    for offset, below in enumerate(lines[index + 1 : index + 1 + BELOW_LINES], index + 1):
        height = below.bottom - below.top
        if offset in taken or below.page != line.page or below.top - line.bottom > BELOW_OF_HEIGHT * height:
            return None
        under = [phrase for phrase in below.phrases if phrase.overlap(label.left, label.right) > 0]
        for phrase in under:
            if field_of(phrase.text, sort) is not None and not _is_typed(field):
                return None
            if fits(field, phrase.text) and _within(phrase.text, sort) is None:
                return phrase.text, offset
        if under:
            return None
        line = below
    return None
