"""Documents in whole sentences: a bank's letter about salaries, a letter that acknowledges a part payment.

Rules: every expected value stands in a sentence, none beside a label; build and reporting half have texts of their own.
Source: written for this project.
"""

from dataclasses import replace
from decimal import Decimal

from tests.bench.documents.drawing import MARGIN_POINTS, Page
from tests.bench.documents.facts import Invoice, Payroll
from tests.bench.documents.sheets import expected, plain
from tests.bench.documents.wording import Writing, amount, day, month

_BANK = {
    ("en", "build"): "We confirm that on {day} we paid the salaries of {company} for {month}.|"
    "In total {amount} went to the accounts of {count} employees.|Yours faithfully, {bank}",
    ("de", "build"): "hiermit bestätigen wir, dass wir am {day} die Gehälter der {company} für {month} gezahlt haben.|"
    "Insgesamt gingen {amount} an {count} Mitarbeiter.|Mit freundlichen Grüßen, {bank}",
    ("ko", "build"): "{company}의 {month} 급여를 {day}에 이체하였음을 확인합니다.|"
    "이체 총액은 {amount}이며 대상 인원은 {count}명입니다.|{bank}",
    ("en", "report"): "This letter certifies the execution of the {month} payroll instructed by {company}.|"
    "Value {day}, the sum of {amount} was credited to {count} beneficiaries.|{bank}, Payments Desk",
    ("de", "report"): "im Auftrag von {company} haben wir die Löhne für {month} überwiesen.|"
    "Mit Valuta {day} wurden {count} Empfängern zusammen {amount} gutgeschrieben.|{bank}, Zahlungsverkehr",
    ("ko", "report"): "귀사({company})가 의뢰하신 {month}분 급여 대량이체가 {day} 자로 완료되었습니다.|"
    "총 {count}명에게 {amount}이 입금되었습니다.|{bank} 자금이체팀",
}
_RECEIPT = {
    ("en", "build"): "{vendor} has received {paid} from {company} on {paid_on} towards invoice {ref} of {issued}.|"
    "The invoice comes to {total}; {balance} is still to be paid.",
    ("de", "build"): "{vendor} hat am {paid_on} von {company} {paid} auf die Rechnung {ref} vom {issued} erhalten.|"
    "Die Rechnung lautet über {total}; es bleiben {balance} zu zahlen.",
    (
        "ko",
        "build",
    ): "{vendor}은(는) {issued} 발행한 청구서 {ref}에 대하여 {company}(으)로부터 {paid_on}에 {paid}을 받았습니다.|"
    "청구 총액은 {total}이며 남은 금액은 {balance}입니다.",
    ("en", "report"): "Thank you, {company}: your payment of {paid} reached {vendor} on {paid_on}.|"
    "It was set against invoice {ref}, issued {issued} for {total}, of which {balance} remains open.",
    ("de", "report"): "vielen Dank, {company}: Ihre Zahlung über {paid} ist am {paid_on} bei {vendor} eingegangen.|"
    "Sie wurde mit der Rechnung {ref} vom {issued} über {total} verrechnet; offen sind noch {balance}.",
    ("ko", "report"): "{company} 귀중: {paid_on}에 보내 주신 {paid}이 {vendor}에 입금되었습니다.|"
    "{issued} 자 청구서 {ref}(총 {total})에 충당하였으며 미결 잔액은 {balance}입니다.",
}
_LINE_CHARACTERS = {"en": 84, "de": 84, "ko": 46}


def _letter(sentences: str, language: str) -> bytes:
    page = Page(language)
    page.down(4)
    for sentence in sentences.split("|"):
        line = ""
        for word in sentence.split(" "):
            if line and len(line) + len(word) >= _LINE_CHARACTERS[language]:
                page.text(MARGIN_POINTS, page.y, line, 11)
                page.down(1.1)
                line = word
            else:
                line = f"{line} {word}".strip()
        page.text(MARGIN_POINTS, page.y, line, 11)
        page.down(1.8)
    return page.bytes()


def bank_letter(pay: Payroll, language: str, half: str, writing: Writing) -> tuple[bytes, dict[str, object]]:
    """Draw a bank's letter and give its reading."""
    text = _BANK[language, half].format(
        day=day(pay.paid_on, language, writing),
        company=pay.company,
        month=month(pay.period, language, replace(writing, month="long")),
        amount=amount(pay.total("net"), pay.digits, pay.currency, writing),
        count=len(pay.workers),
        bank=pay.bank,
    )
    reading = expected(
        "bank_confirmation",
        pay.company,
        pay.period,
        pay.currency,
        fields={
            "net_pay_total": plain(pay.total("net")),
            "payment_date": pay.paid_on.isoformat(),
            "employee_count": str(len(pay.workers)),
        },
    )
    return _letter(text, language), reading


def receipt_letter(bill: Invoice, language: str, half: str, writing: Writing) -> tuple[bytes, dict[str, object]]:
    """Draw the letter about a part payment of a purchase and give its reading."""
    if bill.paid_amount is None or bill.paid_on is None:
        raise ValueError("a receipt is about a payment")

    def money(value: Decimal) -> str:
        return amount(value, bill.digits, bill.currency, writing)

    text = _RECEIPT[language, half].format(
        vendor=bill.party,
        company=bill.company,
        ref=bill.ref,
        paid=money(bill.paid_amount),
        total=money(bill.total),
        balance=money(bill.total - bill.paid_amount),
        paid_on=day(bill.paid_on, language, writing),
        issued=day(bill.issued, language, writing),
    )
    reading = expected(
        "purchase_invoice",
        bill.company,
        bill.period,
        bill.currency,
        fields={
            "type": "purchase",
            "invoice_ref": bill.ref,
            "vendor": bill.party,
            "invoice_date": bill.issued.isoformat(),
            "total": plain(bill.total),
            "paid_amount": plain(bill.paid_amount),
            "payment_date": bill.paid_on.isoformat(),
        },
    )
    return _letter(text, language), reading
