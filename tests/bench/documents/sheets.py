"""What stands on a document, before it has a layout: titles, labels, a table, sums; and what a reader must find.

Rules: whatever is expected is written on the sheet, under a label, in a title or in a column's head; what follows by
the contract's own arithmetic (a contribution from cost and gross) is `derivable`: right when given, not missed else.
A sheet's currency is expected only where a code, a sign or a word for it stands on the sheet.
It does not know geometry. Source: fixtures/README.md, section documents.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tests.bench.documents.facts import Invoice, Payroll, Worker
from tests.bench.documents.wording import Writing, amount, day, month, words

Pairs = tuple[tuple[str, str], ...]
MONEY_KEYS = (
    ("gross", "gross"),
    ("ee", "employee_social_security"),
    ("tax", "tax"),
    ("net", "net"),
    ("er", "employer_social_security"),
    ("cost", "employer_cost"),
)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document's content and its expected reading."""

    title: str
    letterhead: str
    head: Pairs
    sums: Pairs
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    total_row: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    language: str = "en"
    expected: Mapping[str, Any] = field(default_factory=dict)
    declared: Mapping[str, str] = field(default_factory=dict)


def plain(value: Decimal) -> str:
    """Write a decimal as the expected results do: no group, no exponent, decimals as they are."""
    return f"{value:f}"


def expected(
    doc_type: str,
    company: str | None,
    period: str | None,
    currency: str | None,
    *,
    event_ref: str | None = None,
    fields: Mapping[str, str] | None = None,
    employees: Sequence[Mapping[str, str]] = (),
    derivable: Mapping[str, str] | None = None,
    missing: Sequence[str] = (),
) -> dict[str, Any]:
    """Give the reading of one document in the form that the committed results have."""
    return {
        "docType": doc_type,
        "company": company,
        "period": period,
        "currency": currency,
        "eventRef": event_ref,
        "fields": dict(fields or {}),
        "employees": [dict(employee) for employee in employees],
        "derivable": dict(derivable or {}),
        "missing": list(missing),
    }


def worker_fields(worker: Worker, keys: Sequence[tuple[str, str]] = MONEY_KEYS) -> dict[str, str]:
    """Give the expected fields of one employee."""
    found = {"employee_id": worker.employee_id, "name": worker.name}
    return found | {name: plain(getattr(worker, name)) for _, name in keys}


def _currency_shown(currency: str | None, writing: Writing, line: str, note: str, columns: str) -> str | None:
    """Say which currency the sheet tells: a sign that two currencies share tells none."""
    if currency is None:
        return None
    if "code" in (line, note, columns) or writing.mark.startswith("code"):
        return currency
    if writing.mark.startswith("sign"):
        return None if currency in ("JPY", "CNY") else currency
    return None


def payslip(
    pay: Payroll,
    worker: Worker,
    language: str,
    half: str,
    writing: Writing,
    *,
    line: str = "",
    note: str = "",
    without: Sequence[str] = (),
    letterhead: str | None = None,
) -> Sheet:
    """Write a payslip. `line` or `note` = "code" writes the currency apart; `without` leaves amounts out."""
    w = words(language, half)
    head = [
        (w["employer"], pay.company),
        (w["period"], month(pay.period, language, writing)),
        (w["employee_id"], worker.employee_id),
        (w["name"], worker.name),
        (w["paid_on"], day(pay.paid_on, language, writing)),
    ]
    if pay.run:
        head.append((w["run"], pay.run))
    if line and pay.currency:
        head.append((w["currency"], pay.currency))
    keys = [pair for pair in MONEY_KEYS if pair[1] not in without]
    sums = tuple((w[key], amount(getattr(worker, name), pay.digits, pay.currency, writing)) for key, name in keys)
    currency = _currency_shown(pay.currency, writing, line, note, "")
    derivable = {name: plain(getattr(worker, name)) for _, name in MONEY_KEYS if name in without}
    reading = expected(
        "payslip",
        pay.company,
        pay.period,
        currency,
        event_ref=pay.run,
        fields={"payment_date": pay.paid_on.isoformat()},
        employees=[worker_fields(worker, keys)],
        derivable=derivable,
        missing=[] if currency else ["currency"],
    )
    return Sheet(
        w["payslip"],
        pay.company if letterhead is None else letterhead,
        tuple(head),
        sums,
        notes=(w["all_in"].format(pay.currency),) if note and pay.currency else (),
        language=language,
        expected=reading,
    )


def register(
    pay: Payroll,
    language: str,
    half: str,
    writing: Writing,
    *,
    line: str = "",
    note: str = "",
    columns: str = "",
    rows: bool = True,
    totals: Mapping[str, Decimal] | None = None,
    count: int | None = None,
) -> Sheet:
    """Write a payroll register: a row per employee and the totals, or (rows=False) the totals alone.

    `totals` writes other totals than the rows give: the reader reports what is written.
    """
    w = words(language, half)
    given = {name: pay.total(name) for _, name in MONEY_KEYS} | dict(totals or {})
    number = len(pay.workers) if count is None else count
    head = [(w["employer"], pay.company), (w["period"], month(pay.period, language, writing))]
    if pay.run:
        head.append((w["run"], pay.run))
    head.append((w["count"], str(number)))
    if line and pay.currency:
        head.append((w["currency"], pay.currency))

    def money(value: Decimal, mark: str | None = None) -> str:
        return amount(value, pay.digits, pay.currency, writing, mark)

    sums = (
        (w["gross_total"], money(given["gross"])),
        (w["er_total"], money(given["employer_social_security"])),
        (w["cost_total"], money(given["employer_cost"])),
    )
    suffix = f" ({pay.currency})" if columns and pay.currency else ""
    heads = (w["employee_id"], w["name"], *(w[key] + suffix for key, _ in MONEY_KEYS)) if rows else ()
    body = tuple(
        (worker.employee_id, worker.name, *(money(getattr(worker, name), "none") for _, name in MONEY_KEYS))
        for worker in pay.workers
    )
    currency = _currency_shown(pay.currency, writing, line, note, columns)
    reading = expected(
        "payroll_register",
        pay.company,
        pay.period,
        currency,
        event_ref=pay.run,
        fields={
            "gross_pay_total": plain(given["gross"]),
            "employer_social_security_total": plain(given["employer_social_security"]),
            "employer_cost_total": plain(given["employer_cost"]),
            "employee_count": str(number),
        },
        employees=[worker_fields(worker) for worker in pay.workers] if rows else [],
        derivable={"net_pay_total": plain(given["net"])} if rows else {},
        missing=[] if currency else ["currency"],
    )
    return Sheet(
        w["register"],
        pay.company,
        tuple(head),
        sums,
        columns=heads,
        rows=body if rows else (),
        total_row=(w["sum_row"], "", *(money(given[name], "none") for _, name in MONEY_KEYS)) if rows else (),
        notes=(w["all_in"].format(pay.currency),) if note and pay.currency else (),
        language=language,
        expected=reading,
    )


def bank(
    pay: Payroll,
    language: str,
    half: str,
    writing: Writing,
    *,
    line: str = "",
    note: str = "",
    net: Decimal | None = None,
    count: int | None = None,
) -> Sheet:
    """Write a bank's confirmation of the salary payments; the letterhead is the bank's, not the company's."""
    w = words(language, half)
    total = pay.total("net") if net is None else net
    number = len(pay.workers) if count is None else count
    head = [
        (w["bank"], pay.bank),
        (w["holder"], pay.company),
        (w["period"], month(pay.period, language, writing)),
        (w["paid_on"], day(pay.paid_on, language, writing)),
    ]
    if pay.run:
        head.append((w["run"], pay.run))
    head.append((w["count"], str(number)))
    if line and pay.currency:
        head.append((w["currency"], pay.currency))
    currency = _currency_shown(pay.currency, writing, line, note, "")
    reading = expected(
        "bank_confirmation",
        pay.company,
        pay.period,
        currency,
        event_ref=pay.run,
        fields={
            "net_pay_total": plain(total),
            "payment_date": pay.paid_on.isoformat(),
            "employee_count": str(number),
        },
        missing=[] if currency else ["currency"],
    )
    return Sheet(
        w["bank_doc"],
        pay.bank,
        tuple(head),
        ((w["net_total"], amount(total, pay.digits, pay.currency, writing)),),
        notes=(w["all_in"].format(pay.currency),) if note and pay.currency else (),
        language=language,
        expected=reading,
    )


def invoice(
    bill: Invoice,
    language: str,
    half: str,
    writing: Writing,
    *,
    title: str = "",
    line: str = "",
    note: str = "",
    rows: bool = True,
) -> Sheet:
    """Write an invoice, or with title="receipt" the receipt of a payment on one; the company is declared with it."""
    w = words(language, half)
    purchase = bill.type == "purchase"
    seller, buyer = (bill.party, bill.company) if purchase else (bill.company, bill.party)
    head = [
        (w["seller"], seller),
        (w["buyer"], buyer),
        (w["ref"], bill.ref),
        (w["issued"], day(bill.issued, language, writing)),
        (w["due"], day(bill.due, language, writing)),
    ]
    if bill.order:
        head.append((w["order"], bill.order))
    if line:
        head.append((w["currency"], bill.currency))

    def money(value: Decimal, mark: str | None = None) -> str:
        return amount(value, bill.digits, bill.currency, writing, mark)

    sums = [
        (w["subtotal"], money(bill.subtotal)),
        (w["vat"].format(bill.tax_percent), money(bill.tax)),
        (w["total"], money(bill.total)),
    ]
    fields = {
        "type": bill.type,
        "invoice_ref": bill.ref,
        "vendor" if purchase else "customer": bill.party,
        "invoice_date": bill.issued.isoformat(),
        "total": plain(bill.total),
    }
    if bill.paid_amount is not None:
        sums += [(w["paid"], money(bill.paid_amount)), (w["balance"], money(bill.total - bill.paid_amount))]
        fields["paid_amount"] = plain(bill.paid_amount)
    if bill.paid_on is not None:
        head.append((w["paid_on"], day(bill.paid_on, language, writing)))
        fields["payment_date"] = bill.paid_on.isoformat()
    lines = tuple(
        (text, str(quantity), money(price, "none"), money(quantity * price, "none"))
        for text, quantity, price in bill.lines
    )
    currency = _currency_shown(bill.currency, writing, line, note, "")
    reading = expected(
        f"{bill.type}_invoice",
        bill.company,
        bill.period,
        currency,
        fields=fields,
        derivable={"net_total": plain(bill.subtotal), "tax_total": plain(bill.tax)},
        missing=[] if currency else ["currency"],
    )
    return Sheet(
        w[title or "invoice"],
        seller,
        tuple(head),
        tuple(sums),
        columns=(w["description"], w["quantity"], w["price"], w["amount"]) if rows else (),
        rows=lines if rows else (),
        notes=(*((w["all_in"].format(bill.currency),) if note else ()), *bill.notes),
        language=language,
        expected=reading,
        declared={"company": bill.company},
    )
