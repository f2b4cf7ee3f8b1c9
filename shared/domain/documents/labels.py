"""What the labels of business paper mean: English, German and Korean words for the fields of payrolls and invoices.

Rules: a label is a short phrase; signs behind it, what stands in brackets and its case say nothing. The first rule that
matches decides, so that "employer's social security" is not taken for the employee's. A label that two fields could
mean is none. Which words count depends on the sort of document: a net amount is another thing on an invoice. It does
not know values and places.
Source: words of ordinary payroll, banking and invoicing papers; worked out on fixtures/documents/build alone.
"""

import re
from collections.abc import Mapping
from enum import StrEnum, unique
from functools import lru_cache
from types import MappingProxyType

from shared.domain.documents.label_words import BANK_TOTAL, INVOICE, ITEM, PAY, PAYROLL, WHO
from shared.domain.text import fold

MAX_LABEL_CHARS, MAX_LABEL_WORDS = 60, 8
"""Of a label; more is a sentence. Chosen, untested."""


@unique
class Sort(StrEnum):
    """The sorts of documents whose labels are known."""

    PAYSLIP = "payslip"
    REGISTER = "payroll_register"
    BANK = "bank_confirmation"
    INVOICE = "invoice"


_BRACKETS = re.compile(r"\s*[(\[（][^()\[\]（）]*[)\]）]")
_SIDE = re.compile(
    r"[(\[（]\s*((?:employer|employee|arbeitgeber|arbeitnehmer|ag|an|er|ee|사업주|회사|근로자|직원|본인)[^()\[\]（）]*)[)\]）]",
    re.IGNORECASE,
)
_SUM_BEHIND = re.compile(r"(?<=\S)\s+(?:합계|총계|총합|계)$")
_ENDS = " :：.;,*#-–=|/·\t"
_LETTER = re.compile(r"[^\W\d_]")

Rules = tuple[tuple[str, tuple[re.Pattern[str], ...]], ...]


def _compiled(*tables: tuple[tuple[str, tuple[str, ...]], ...]) -> Rules:
    return tuple((field, tuple(map(re.compile, patterns))) for table in tables for field, patterns in table)


_RULES: Mapping[Sort, Rules] = MappingProxyType(
    {
        Sort.PAYSLIP: _compiled(WHO, PAYROLL, PAY),
        Sort.REGISTER: _compiled(WHO, PAYROLL, PAY),
        Sort.BANK: _compiled(WHO, PAYROLL, BANK_TOTAL),
        Sort.INVOICE: _compiled(INVOICE),
    }
)
_ITEMS = tuple(map(re.compile, ITEM))
_TOTAL = re.compile(
    r"^(?:(?:grand |sub-?)?totals?|sum|overall|(?:gesamt)?summen?|gesamt|insgesamt|합\s*계|총\s*계|총\s*합계|계"
    r"|소\s*계)(?:$| .*)"
)
_CARRIED = re.compile(
    r"^(?:carried|brought) forward|^übertrag|^이월|^carry over|^전\s*이월|^page \d+|^seite \d+|^(?:sub-?total"
    r"|zwischensumme|소\s*계)"
)


@lru_cache(maxsize=8_192)
def field_of(text: str, sort: Sort) -> str | None:
    """Return the field that a label means on a sort of document, or None."""
    label = plain_label(text)
    if label is None:
        return None
    return next((field for field, patterns in _RULES[sort] if any(p.search(label) for p in patterns)), None)


@lru_cache(maxsize=4_096)
def is_item_head(text: str) -> bool:
    """Tell whether a text heads a column of an invoice's items."""
    label = plain_label(text)
    return label is not None and any(pattern.search(label) for pattern in _ITEMS)


def is_total(text: str) -> bool:
    """Tell whether a text begins a row of totals."""
    label = plain_label(text)
    return label is not None and _TOTAL.match(label) is not None and not is_carried(text)


def is_carried(text: str) -> bool:
    """Tell whether a text begins a row that is no employee: a sum carried forward, a page number."""
    label = plain_label(text)
    return label is not None and _CARRIED.match(label) is not None


def plain_label(text: str) -> str | None:
    """Return a label in the form in which labels are compared; None for what is none."""
    if len(text) > MAX_LABEL_CHARS:
        return None
    text = _SIDE.sub(r" \1 ", text)
    label = _SUM_BEHIND.sub("", _BRACKETS.sub("", fold(text)).strip(_ENDS))
    if not _LETTER.search(label) or label.count(" ") >= MAX_LABEL_WORDS:
        return None
    return label
