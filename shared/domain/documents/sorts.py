"""Which sort of document it is, before its labels are read.

Rules: what the caller declares; else the first title that names a sort, where pay of one or of many decides between
payslip and register; else what its labels show: an invoice's number, a table of employees, an employee with a net
pay, a sum that was paid out. A receipt is evidence of the invoice it names. It does not know amounts.
Source: titles of ordinary payroll, banking and invoicing papers.
"""

import re
from collections.abc import Sequence

from shared.domain.documents.labels import Sort
from shared.domain.documents.layout import Line
from shared.domain.documents.pairs import pairs_of
from shared.domain.documents.tables import table_of
from shared.domain.money.evidence import INVOICE_TYPES, DocType
from shared.domain.text import fold

TITLE_LINES, TITLE_MAX_CHARS = 12, 80
"""Within which a title stands, and how long it is at most. Chosen, untested."""

TOLD_WITHIN_LINES = 200
"""Within which a document shows what it is. Chosen, untested."""

_TITLES = (
    (Sort.PAYSLIP, re.compile(
        r"\bpay ?-?slip|\b(?:salary|wage) slip|\bpay ?-?stub|\bearnings statement|\bstatement of (?:earnings"
        r"|pay)|\bpay (?:statement|advice)"
        r"|\bsalary statement|(?:gehalts|lohn|entgelt|verdienst|bezüge|vergütungs)-?(?:abrechnung|nachweis"
        r"|zettel|bescheinigung|schein)"
        r"|lohn- und gehaltsabrechnung|(?:급여|임금|월급|봉급|급료)\s*(?:지급\s*)?(?:명세|계산서|통지)"
    )),
    (Sort.REGISTER, re.compile(
        r"\bpayroll (?:register|journal|summary|report|list|ledger|overview|sheet|statement)|\bpay register"
        r"|\bwages? (?:register|list|book)"
        r"|\bsalary (?:register|list|sheet|summary)|(?:lohn|gehalts|entgelt|abrechnungs"
        r"|personalkosten)-?(?:journal|liste|übersicht|aufstellung|konto)"
        r"|lohn- und gehalts\w+|(?:급여|임금|인건비)\s*(?:대장|목록|현황|집계|총괄|내역|리스트|지급\s*대장)"
    )),
    (Sort.BANK, re.compile(
        r"\b(?:bank|payment|transfer|payout|remittance|disbursement|batch|execution|salary)\b.* (?:confirmation"
        r"|advice|notice)"
        r"|\bconfirmation of (?:salary |payroll )?(?:payment|transfer|execution)|\bproof of payment"
        r"|\bsalary (?:transfer|payment)s?|\b(?:bulk|batch|mass) (?:payment|transfer)"
        r"|(?:überweisungs|zahlungs|bank|ausführungs|sammel\w*)-?bestätigung|bestätigung (?:der|über) "
        r"|sammelüberweisung|zahlungsavis|zahlungsnachweis|gehaltsüberweisung"
        r"|(?:이체|송금|대량\s*이체|급여\s*이체|지급|거래)\s*(?:결과\s*)?(?:확인|내역|결과|증명|완료)|급여\s*이체"
    )),
    (Sort.INVOICE, re.compile(
        r"\breceipt\b|\binvoice\b|\bcredit note\b|(?<!ab)(?<!be)rechnung\b|quittung|zahlungseingang|gutschrift"
        r"|세금\s*계산서|(?<!급여 )(?<!급여)계산서|청구서|인보이스|거래\s*명세서|영수증|입금표|수령증|송장"
    )),
)  # fmt: skip
_BUYS = re.compile(
    r"\bpurchase invoice|\b(?:incoming|supplier|vendor) (?:invoice|bill)|eingangsrechnung|매입\s*(?:세금\s*)?계산서"
)
_SELLS = re.compile(r"\bsales invoice|\boutgoing invoice|ausgangsrechnung|매출\s*(?:세금\s*)?계산서")
_DECLARED = {
    DocType.PAYSLIP: Sort.PAYSLIP,
    DocType.PAYROLL_REGISTER: Sort.REGISTER,
    DocType.BANK_CONFIRMATION: Sort.BANK,
} | dict.fromkeys(INVOICE_TYPES, Sort.INVOICE)


def sort_of(lines: Sequence[Line], declared: DocType, *, sheet: bool) -> Sort | None:
    """Return the sort of a document; None where nothing tells."""
    if declared in _DECLARED:
        return _DECLARED[declared]
    lines = lines[:TOLD_WITHIN_LINES]
    sort = _by_title(lines) or _by_labels(lines, sheet=sheet)
    if sort is Sort.BANK and any(pair.field == "invoice_ref" for pair in pairs_of(lines, Sort.INVOICE)):
        return Sort.INVOICE  # a payment that is confirmed for an invoice
    if sort in (Sort.PAYSLIP, Sort.REGISTER):  # titles such as "wage statement" are used for both
        table = table_of(lines, Sort.REGISTER, sheet=sheet)
        if table is not None and table.rows:
            return Sort.REGISTER if len(table.rows) > 1 else sort
        return Sort.PAYSLIP if _is_of_one(lines) else sort
    return sort


def _is_of_one(lines: Sequence[Line]) -> bool:
    fields = {pair.field for pair in pairs_of(lines, Sort.PAYSLIP)}
    return bool(fields & {"employee_id", "name"}) and bool(fields & {"net", "gross"})


def named_side(lines: Sequence[Line]) -> DocType:
    """Return whether an invoice calls itself one of a purchase or of a sale; UNKNOWN where it does not."""
    top = " ".join(fold(line.text) for line in lines[:TITLE_LINES])
    buys, sells = _BUYS.search(top) is not None, _SELLS.search(top) is not None
    if buys == sells:
        return DocType.UNKNOWN
    return DocType.PURCHASE_INVOICE if buys else DocType.SALES_INVOICE


def is_title(text: str) -> bool:
    """Tell whether a text names a sort of document."""
    return len(text) <= TITLE_MAX_CHARS and any(pattern.search(fold(text)) for _, pattern in _TITLES)


def _by_title(lines: Sequence[Line]) -> Sort | None:
    for line in lines[:TITLE_LINES]:
        for phrase in line.phrases:
            if len(phrase.text) > TITLE_MAX_CHARS or ":" in phrase.text or "：" in phrase.text:
                continue
            folded = fold(phrase.text)
            for sort, pattern in _TITLES:
                if pattern.search(folded):
                    return sort
    return None


def _by_labels(lines: Sequence[Line], *, sheet: bool) -> Sort | None:
    if "invoice_ref" in {pair.field for pair in pairs_of(lines, Sort.INVOICE)}:
        return Sort.INVOICE
    if (table := table_of(lines, Sort.REGISTER, sheet=sheet)) is not None and table.rows:
        return Sort.REGISTER
    if _is_of_one(lines):
        return Sort.PAYSLIP
    fields = {pair.field for pair in pairs_of(lines, Sort.PAYSLIP)}
    if fields & {"gross", "employer_cost"}:
        return Sort.REGISTER
    return Sort.BANK if "net" in {pair.field for pair in pairs_of(lines, Sort.BANK)} and fields else None
