"""What the reference product's field audit gets wrong (its faults 8 to 16), through retrieve and audit."""

import pytest
from candor.memory.v1.memory_pb2 import KIND_DOCUMENT
from candor.retrieve.v1.recall_pb2 import RecallMemoriesRequest

from shared.domain.types import MemoryState
from shared.rpc import clients
from tests.services.audit.conftest import Audited, memory
from tests.services.retrieve.serving import MINE

pytestmark = pytest.mark.anyio


async def said(audited: Audited, *metadata: str, **given: object) -> list[str]:
    """Let several sessions say something of one record, and return the findings."""
    drafts = [memory("R-1", text, session=f"s{number}", **given) for number, text in enumerate(metadata)]
    await audited.add(*drafts)
    return await audited.told()


async def test_8_small_numbers_conflict_as_large_ones_do(audited: Audited) -> None:
    assert await said(audited, '{"vat": 0.13}', '{"vat": 0.24}') == ["contradiction R-1 vat: 0.13, 0.24"]


async def test_9_spellings_of_one_value_are_one(audited: Audited) -> None:
    found = await said(
        audited,
        '{"status": "Paid", "total": "18,400", "due": "2026-05-03"}',
        '{"status": "paid ", "total": 18400, "due": "3 May 2026"}',
    )
    assert found == []


async def test_9_spellings_of_one_record_are_one(audited: Audited) -> None:
    await audited.add(memory("INV-1", '{"total": 1}'), memory("inv-1 ", '{"total": 2}', session="b"))
    assert await audited.told() == ["contradiction INV-1 total: 1, 2"]


async def test_10_two_vendors_may_number_alike(audited: Audited) -> None:
    await audited.add(
        memory(None, '{"total": 1}', source_ref="INV-1", counterparty="Globex"),
        memory(None, '{"total": 2}', source_ref="INV-1", counterparty="Initech"),
    )
    assert await audited.told() == []
    await audited.add(memory(None, '{"total": 3}', source_ref="INV-1", counterparty="globex "))
    assert await audited.told() == ["contradiction INV-1 total: 1, 3"]


async def test_11_agreement_does_not_depend_on_the_smallest_value(audited: Audited) -> None:
    assert await said(audited, *(f'{{"total": {value}}}' for value in (9250.0, 9250.4, 9250.8))) == []


async def test_12_nothing_is_too_old_or_of_too_many(audited: Audited) -> None:
    await audited.add(memory("OLD", '{"total": 1}'), memory("OLD", '{"total": 2}'), memory("PO-1", kind="note"))
    await audited.add(memory(None, references=["PO-1"], content="points"))
    await audited.add(*(memory(f"NEW-{number}", '{"total": 1}') for number in range(600)))
    assert await audited.told() == ["contradiction OLD total: 1, 2"]
    # What a filter leaves out is stored all the same.
    assert await audited.told(kind=KIND_DOCUMENT) == ["contradiction OLD total: 1, 2"]


async def test_12_what_was_superseded_is_no_dangling_target(audited: Audited) -> None:
    (target,) = await audited.add(memory("PO-1"))
    await audited.add(memory(None, references=["PO-1"]))
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    await audited.serving.mine.end(ids[target], audited.serving.clock.now(), MemoryState.SUPERSEDED)
    assert await audited.told() == []


async def test_13_and_14_recall_says_of_a_conflict_what_the_audit_says(audited: Audited) -> None:
    await audited.add(
        memory("INV-1", '{"total": 1}', importance=0.9, content="The invoice is over one."),
        memory("INV-1", '{"total": 2}', content="The invoice is over two.", references=["PAY-1"]),
        memory("PAY-1", content="Paid."),
    )
    (line,), summary = await audited.audit()
    request = RecallMemoriesRequest(tenant_id=str(MINE), query="the invoice is over two", limit=1)
    recalled = await clients.recall(audited.serving.via).RecallMemories(request)
    # One hit, and yet the other side is told, with the same winner; what was not recalled is not called missing.
    assert len(recalled.hits) == 1 and summary.absences == 0
    assert list(recalled.conflicts) == [line.contradiction]
    assert line.contradiction.resolution.rule == "importance"


async def test_15_a_finding_stays_the_same_and_what_was_not_touched_is_not_computed_again(audited: Audited) -> None:
    await audited.add(memory("A", '{"total": 1}'), memory("A", '{"total": 2}'))
    (line,), summary = await audited.audit()
    await audited.add(memory("B", '{"total": 1}'), memory("B", '{"total": 2}'))
    assert await audited.told(since=summary.next_since) == ["contradiction B total: 1, 2"]
    await audited.add(memory("A", '{"total": 3}'))
    (again, _), _ = await audited.audit()
    assert again.contradiction.finding_id == line.contradiction.finding_id


async def test_16_units_currencies_and_periods_are_understood(audited: Audited) -> None:
    amounts = ('{"amount": 100, "currency": "EUR"}', '{"amount": 100, "currency": "USD"}')
    assert await said(audited, *amounts) == []
    await audited.add(memory("BOX", '{"weight": "2 kg"}'), memory("BOX", '{"weight": "2000 g"}'))
    await audited.add(
        memory("EMP-1", '{"net": 2700}', period="2026-04"), memory("EMP-1", '{"net": 2800}', period="2026-05")
    )
    assert await audited.told() == []
    await audited.add(memory("EMP-1", '{"net": 2900}', period="2026-05"))
    assert await audited.told() == ["contradiction EMP-1 net: 2800, 2900"]
