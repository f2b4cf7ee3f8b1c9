"""How documents of each language and half name things, and how they write amounts, days and months.

Rules: the labels of the build half stand here, those of the reporting half in wording_report.py, which nobody opens who
writes rules of extraction.
It does not know layouts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tests.bench.documents.wording_report import WORDS

KEYS = (
    "employer period employee_id name gross ee tax net er cost currency run count paid_on register payslip bank_doc "
    "receipt purchase sales invoice gross_total er_total cost_total net_total sum_row holder bank seller buyer ref "
    "issued due order description quantity price amount subtotal vat total paid balance all_in seller_only buyer_only"
).split()

_WORDS = {
    "en": (
        "Employer|Pay period|Employee no.|Employee name|Gross pay|Employee social security|Income tax|Net pay|"
        "Employer social security|Employer cost|Currency|Payroll run|Number of employees|Payment date|"
        "Payroll register|Payslip|Bank payment confirmation|Payment receipt|Purchase invoice|Sales invoice|Invoice|"
        "Total gross pay|Total employer social security|Total employer cost|Total net pay|Total|Account holder|Bank|"
        "From|Bill to|Invoice number|Invoice date|Due date|Purchase order|Description|Qty|Unit price|Amount|Subtotal|"
        "VAT {}%|Total due|Amount paid|Balance due|All amounts in {}|Supplier|Customer"
    ),
    "de": (
        "Arbeitgeber|Abrechnungsmonat|Personalnummer|Mitarbeiter|Bruttolohn|Sozialversicherung Arbeitnehmer|"
        "Lohnsteuer|Nettolohn|Sozialversicherung Arbeitgeber|Gesamtkosten Arbeitgeber|Währung|Abrechnungslauf|"
        "Anzahl Mitarbeiter|Zahlungsdatum|Lohnjournal|Gehaltsabrechnung|Zahlungsbestätigung|Zahlungsquittung|"
        "Eingangsrechnung|Ausgangsrechnung|Rechnung|Summe Bruttolöhne|Summe Sozialversicherung Arbeitgeber|"
        "Summe Arbeitgeberkosten|Summe Nettolöhne|Summe|Kontoinhaber|Bank|Von|Rechnung an|Rechnungsnummer|"
        "Rechnungsdatum|Fällig am|Bestellnummer|Bezeichnung|Menge|Einzelpreis|Betrag|Zwischensumme|MwSt. {} %|"
        "Gesamtbetrag|Bezahlter Betrag|Restbetrag|Alle Beträge in {}|Lieferant|Kunde"
    ),
    "ko": (
        "회사명|귀속월|사번|성명|지급총액|근로자 사회보험료|소득세|"
        "실지급액|사업주 사회보험료|총 인건비|통화|급여차수|인원수|지급일|"
        "급여대장|급여명세서|급여이체 확인서|영수증|매입 계산서|"
        "매출 계산서|청구서|지급총액 합계|사업주 사회보험료 합계|총 인건비 합계|"
        "실지급액 합계|합계|예금주|은행|공급자|공급받는자|청구서 번호|발행일|"
        "지급기한|발주번호|품목|수량|단가|금액|공급가액|부가세 {}%|"
        "합계 금액|지급한 금액|잔액|금액 단위: {}|공급자|공급받는자"
    ),
}


def words(language: str, half: str) -> Mapping[str, str]:
    """Return the labels of a language as one half writes them, by key."""
    told = (WORDS if half == "report" else _WORDS)[language]
    return dict(zip(KEYS, told.split("|"), strict=True))


@dataclass(frozen=True, slots=True)
class Writing:
    """How a document writes numbers, currencies, days and months."""

    group: str = ","
    point: str = "."
    mark: str = "code-before"  # code-before, code-after, sign-before, sign-after or none
    day: str = "iso"
    month: str = "iso"


ENGLISH = Writing(mark="code-before", day="long", month="long")
ENGLISH_BARE = Writing(mark="none", day="iso", month="iso")
ENGLISH_SIGN = Writing(mark="sign-before", day="long", month="range")
GERMAN = Writing(".", ",", "sign-after", "dots", "long")
GERMAN_BARE = Writing(".", ",", "none", "dots", "slash")
GERMAN_SPACE = Writing("\u00a0", ",", "code-after", "long", "range")
SWISS = Writing("'", ".", "code-before", "dots", "slash")
KOREAN = Writing(",", ".", "sign-after", "long", "long")
KOREAN_BARE = Writing(",", ".", "none", "dots", "dots")
KOREAN_SIGN = Writing(",", ".", "sign-before", "iso", "iso")

SIGNS = {"EUR": "€", "GBP": "£", "KRW": "₩", "USD": "$", "JPY": "¥", "CNY": "¥"}
_SUFFIX = {"KRW": "원", "EUR": "€", "GBP": "£"}
_MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}


def amount(value: Decimal, digits: int, currency: str | None, writing: Writing, mark: str | None = None) -> str:
    """Write an amount. Units: `digits` decimals are always written."""
    whole, _, fraction = f"{value:.{digits}f}".partition(".")
    grouped = f"{int(whole):,}".replace(",", writing.group)
    text = grouped + (writing.point + fraction if digits else "")
    style = writing.mark if mark is None else mark
    if currency is None or style == "none":
        return text
    if style == "sign-before" and currency in SIGNS:
        return SIGNS[currency] + text
    if style == "sign-after" and currency in _SUFFIX:
        return f"{text}{_SUFFIX[currency]}" if currency == "KRW" else f"{text} {_SUFFIX[currency]}"
    return f"{text} {currency}" if style == "code-after" else f"{currency} {text}"


def day(value: date, language: str, writing: Writing) -> str:
    """Write a day so that only one reading is possible."""
    if writing.day == "long":
        if language == "ko":
            return f"{value.year}년 {value.month}월 {value.day}일"
        name = _MONTHS[language][value.month - 1]
        return f"{value.day}. {name} {value.year}" if language == "de" else f"{value.day} {name} {value.year}"
    if writing.day == "dots":
        return f"{value:%Y.%m.%d}" if language == "ko" else f"{value:%d.%m.%Y}"
    return value.isoformat()


def month(period: str, language: str, writing: Writing) -> str:
    """Write a month."""
    first = date.fromisoformat(f"{period}-01")
    if writing.month == "long":
        if language == "ko":
            return f"{first.year}년 {first.month}월"
        return f"{_MONTHS[language][first.month - 1]} {first.year}"
    if writing.month == "slash":
        return f"{first:%m/%Y}"
    if writing.month == "dots":
        return f"{first:%Y.%m}"
    if writing.month == "range":
        last = _last_day(first)
        return f"{day(first, language, writing)} - {day(last, language, writing)}"
    return period


def _last_day(first: date) -> date:
    following = date(first.year + first.month // 12, first.month % 12 + 1, 1)
    return date.fromordinal(following.toordinal() - 1)
