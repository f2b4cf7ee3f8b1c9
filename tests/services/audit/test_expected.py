"""Counterparts that are called for and not there, and memories that rest on what has changed: found, and silent."""

from datetime import timedelta

import pytest

from shared.domain.types import MemoryState
from tests.services.audit.conftest import Audited, memory
from tests.services.retrieve.serving import NOW

pytestmark = pytest.mark.anyio

PAID = '{"status": "Paid"}'
REGISTER = '{"document_type": "payroll_register", "gross": 12000}'
CONFIRMED = '{"document_type": "Bank Confirmation", "net": 10800}'


async def test_a_paid_invoice_without_a_payment_is_an_absence(audited: Audited) -> None:
    (paid,) = await audited.add(memory("INV-1", PAID, kind="invoice", company="Acme", source_ref="mail-1"))
    (line,), summary = await audited.audit()
    assert (line.absence.subject, line.absence.expected, line.absence.company) == ("INV-1", "payment", "Acme")
    assert [(one.memory_id, one.source_ref) for one in line.absence.referenced_by] == [(paid, "mail-1")]
    assert (summary.absences, summary.ok) == (1, False)


@pytest.mark.parametrize(
    "answer",
    [
        {"record": "PAY-1", "metadata": "{}", "kind": "action", "references": ["inv-1"]},
        {"record": "PAY-1", "metadata": '{"document_type": "payment"}', "references": ["INV-1"]},
        {"record": "INV-1", "metadata": '{"document_type": "receipt"}'},
        {"record": "PAY-9", "metadata": "{}", "kind": "action"},
    ],
)
async def test_a_payment_answers_by_whatever_leads_to_it(audited: Audited, answer: dict[str, object]) -> None:
    await audited.add(memory("INV-1", PAID, kind="invoice", company="Acme", references=["PAY-9"]))
    assert "absence INV-1 payment" in await audited.told()
    (payment,) = await audited.add(memory(company="Acme", **answer))  # type: ignore[arg-type]
    assert "absence INV-1 payment" not in await audited.told()
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    await audited.serving.mine.end(ids[payment], audited.serving.clock.now(), MemoryState.INCORRECT)
    assert "absence INV-1 payment" in await audited.told()


@pytest.mark.parametrize(
    ("kind", "metadata"),
    [("invoice", '{"status": "open"}'), ("document", PAID), ("invoice", '{"memo": "paid"}'), ("note", PAID)],
)
async def test_what_does_not_call_for_a_payment_is_silent(audited: Audited, kind: str, metadata: str) -> None:
    await audited.add(memory("INV-1", metadata, kind=kind))
    assert await audited.told() == []


async def test_a_payment_of_another_company_or_invoice_is_none(audited: Audited) -> None:
    await audited.add(
        memory("INV-1", PAID, kind="invoice", company="Acme"),
        memory("PAY-1", kind="action", company="Globex", references=["INV-1"]),
        memory("PAY-2", kind="action", company="Acme", references=["INV-2"]),
    )
    assert await audited.told() == ["absence INV-1", "absence INV-1 payment", "absence INV-2"]


async def test_a_register_without_a_confirmation_is_an_absence(audited: Audited) -> None:
    await audited.add(memory("RUN-5", REGISTER, company="Acme", period="2026-05"))
    assert await audited.told() == ["absence RUN-5 bank_confirmation"]
    await audited.add(memory("BANK-4", CONFIRMED, company="Acme", period="2026-04"))
    assert await audited.told() == ["absence RUN-5 bank_confirmation"]
    since = (await audited.audit())[1].next_since
    (right,) = await audited.add(memory("BANK-5", CONFIRMED, company="ACME", period="2026-05"))
    assert await audited.told() == []
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    await audited.serving.mine.end(ids[right], audited.serving.clock.now(), MemoryState.INCORRECT)
    assert await audited.told(since=since) == ["absence RUN-5 bank_confirmation"]


async def test_many_callers_come_page_by_page_and_go_on(audited: Audited) -> None:
    await audited.add(*(memory(f"INV-{number}", PAID, kind="invoice") for number in range(8)))
    lines, _ = await audited.audit()
    assert [line.absence.subject for line in lines] == [f"INV-{number}" for number in range(8)]
    assert (await audited.audit(resume_token=lines[4].resume_token))[0] == lines[5:]


async def test_what_rests_on_a_changed_fact_is_stale(audited: Audited) -> None:
    (lead,) = await audited.add(memory("TEAM", '{"lead": "Ann", "size": 5}'))
    (rule,) = await audited.add(memory("REVIEWS", '{"depends_on": ["team"]}', content="Reviews go to Ann's deputy."))
    assert await audited.told() == []
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    audited.serving.clock.pass_days(1)
    now = audited.serving.clock.now()
    await audited.serving.mine.patch(ids[lead], now, metadata_json='{"lead": "Bo", "size": 5}')
    lines, summary = await audited.audit()
    (line,) = [line for line in lines if line.HasField("stale")]
    assert (line.stale.memory_id, line.stale.subject, line.stale.depends_on) == (rule, "REVIEWS", "TEAM")
    assert (line.stale.attribute, line.stale.former.value, line.stale.current.value) == ("lead", '"Ann"', '"Bo"')
    assert (summary.stale, summary.ok) == (1, False)
    # Whoever writes the memory anew has looked at it again.
    audited.serving.clock.pass_days(1)
    await audited.serving.mine.patch(ids[rule], audited.serving.clock.now(), content="Reviews go to Bo's deputy.")
    assert [one for one in await audited.told() if one.startswith("stale")] == []


async def test_a_contradiction_is_no_change_until_it_is_settled(audited: Audited) -> None:
    (first,) = await audited.add(memory("TEAM", '{"lead": "Ann"}'))
    await audited.add(memory("RULE", '{"depends_on": "TEAM"}'))
    await audited.add(memory("TEAM", '{"lead": "Bo"}'))
    assert await audited.told() == ['contradiction TEAM lead: "Ann", "Bo"']
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    audited.serving.clock.pass_days(1)
    await audited.serving.mine.end(ids[first], audited.serving.clock.now(), MemoryState.INCORRECT)
    assert await audited.told() == ['stale RULE on TEAM lead: "Ann" to "Bo"']


async def test_what_says_the_same_again_or_is_forgotten_makes_nothing_stale(audited: Audited) -> None:
    first, second = await audited.add(memory("A", '{"total": 9250}'), memory("B", '{"total": 1}'))
    await audited.add(memory("RULE", '{"depends_on": ["A", "B"]}'))
    await audited.add(memory("A", '{"total": 9250.3}'))
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    audited.serving.clock.pass_days(1)
    now = audited.serving.clock.now()
    await audited.serving.mine.end(ids[first], now, MemoryState.MERGED)
    await audited.serving.mine.end(ids[second], now, MemoryState.FORGOTTEN)
    assert [one for one in await audited.told() if one.startswith("stale")] == []


async def test_a_dependency_is_a_reference_too(audited: Audited) -> None:
    await audited.add(memory("RULE", '{"depends_on": "NOWHERE"}'))
    assert await audited.told() == ["absence NOWHERE"]


async def test_an_ended_memory_rests_on_nothing(audited: Audited) -> None:
    (lead,) = await audited.add(memory("TEAM", '{"lead": "Ann"}'))
    (rule,) = await audited.add(memory("RULE", '{"depends_on": "TEAM"}'))
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    audited.serving.clock.at = NOW + timedelta(days=3)
    await audited.serving.mine.patch(ids[lead], audited.serving.clock.now(), metadata_json='{"lead": "Bo"}')
    await audited.serving.mine.end(ids[rule], audited.serving.clock.now(), MemoryState.SUPERSEDED)
    assert [one for one in await audited.told() if one.startswith("stale")] == []
