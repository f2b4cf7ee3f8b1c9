"""Ingest, retrieve and audit as they are mounted: what is decided and declared is what recall and audit say next."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
from candor.ingest.v1 import decisions_pb2, findings_pb2
from candor.memory.v1 import finding_pb2
from candor.memory.v1.setting_pb2 import Tolerance
from candor.retrieve.v1 import decisions_pb2 as reading_pb2
from candor.retrieve.v1 import findings_pb2 as listing_pb2
from google.protobuf.timestamp_pb2 import Timestamp

from shared.domain.errors import CandorError, InvalidArgument, NotFound
from shared.rpc import clients
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from tests.services.audit.mounted import ACKNOWLEDGED, OPEN, RESOLVED, Roles, mounted, rows

pytestmark = pytest.mark.anyio


@pytest.fixture
async def roles(database: migrate.Dsns) -> AsyncIterator[Roles]:
    async with mounted(database) as started:
        yield started


def told(found: list[finding_pb2.Contradiction]) -> list[tuple[str, list[str], str]]:
    return [(c.attribute, [v.value for v in c.values], c.resolution.recommended_value) for c in found]


async def test_what_was_decided_is_no_conflict_until_somebody_says_otherwise(roles: Roles) -> None:
    a, b = await roles.write(8400), await roles.write(8900, metadata={"vendor": "Globex"})
    both = [("total", ["8400", "8900"], "8900"), ("vendor", ['"Acme"', '"Globex"'], '"Globex"')]
    assert sorted(told(await roles.recalled())) == sorted(told(list((await roles.report()).contradictions))) == both
    await roles.resolve(a, target_memory_ids=[b])
    assert told(await roles.recalled()) == told(list((await roles.report()).contradictions)) == both[1:]
    await roles.resolve(b, attribute="vendor")
    assert await roles.recalled() == []
    assert (await roles.report()).ok
    late = await roles.write(9000, metadata={"vendor": "Globex"})
    expected = [("total", ["8400", "9000"], "8400")]
    assert told(await roles.recalled()) == told(list((await roles.report()).contradictions)) == expected
    [found] = (await roles.report()).contradictions
    assert (found.resolution.rule, found.resolution.recommended_memory_id) == ("importance", a)
    assert late


async def test_findings_live_with_what_they_are_about(roles: Roles) -> None:
    a, b = await roles.write(8400), await roles.write(8900, references=["PO-1"])
    before = await rows(roles)
    assert await roles.record() == (2, 0, 0)
    assert await roles.record() == (0, 0, 0)
    assert await rows(roles) == before
    listed = await roles.findings(kind=listing_pb2.FINDING_KIND_CONTRADICTION)
    [finding] = listed.findings
    assert (finding.state, finding.subject, finding.attribute) == (OPEN, "INV-1", "total")
    assert list(finding.memory_ids) == sorted((a, b))
    assert finding.contradiction.finding_id == finding.finding_id == (await roles.report()).contradictions[0].finding_id
    decision = await roles.resolve(a)
    [settled] = (await roles.findings(state=RESOLVED)).findings
    assert (settled.finding_id, settled.decision_id, settled.changed_by) == (
        finding.finding_id,
        decision.decision_id,
        "bo",
    )
    assert await roles.record() == (0, 0, 0)
    await roles.write(9000)
    await roles.write(1, record="PO-1")
    assert await roles.record() == (0, 1, 1)
    states = {found.subject: found.state for found in (await roles.findings()).findings}
    assert states == {"INV-1": OPEN, "PO-1": RESOLVED}


async def test_changes_are_told_in_order_and_once(roles: Roles) -> None:
    cursor = (await roles.findings()).cursor
    for number in range(5):
        await roles.write(1, record=f"INV-{number}", session="a")
        await roles.write(2, record=f"INV-{number}", session="b")
    await roles.record()
    told_of: list[str] = []
    while True:
        page = await roles.findings(since_cursor=cursor, limit=2)
        cursor = page.cursor
        if not page.findings:
            break
        told_of += [finding.subject for finding in page.findings]
    assert sorted(told_of) == [f"INV-{number}" for number in range(5)]
    await roles.record()
    assert not (await roles.findings(since_cursor=cursor)).findings  # seen again is no change
    [first, *_] = (await roles.findings()).findings
    acknowledged = findings_pb2.AcknowledgeFindingRequest(
        tenant_id=roles.tenant_id, actor="bo", finding_id=first.finding_id, reason="known"
    )
    await clients.findings(roles.ingest).AcknowledgeFinding(acknowledged)
    [changed] = (await roles.findings(since_cursor=cursor)).findings
    assert (changed.finding_id, changed.state, changed.reason) == (first.finding_id, ACKNOWLEDGED, "known")


async def test_a_change_that_is_not_committed_yet_is_told_later(roles: Roles) -> None:
    cursor = (await roles.findings()).cursor
    connection = await asyncpg.connect(roles.dsns.writer, server_settings={"search_path": "candor,public"})
    try:
        slow = connection.transaction()
        await slow.start()
        await connection.execute("SELECT pg_current_xact_id()")  # an earlier transaction that is still running
        await roles.write(1, session="a")
        await roles.write(2, session="b")
        await roles.record()
        assert len((await roles.findings()).findings) == 1
        waiting = await roles.findings(since_cursor=cursor)
        assert not waiting.findings
        await slow.rollback()
        assert len((await roles.findings(since_cursor=waiting.cursor)).findings) == 1
    finally:
        await connection.close()


async def test_lists_are_paged_and_filtered(roles: Roles) -> None:
    for company in ("Northwind", "Southwind"):
        for number in range(3):
            await roles.write(1, record=f"INV-{number}", company=company, session="a")
            await roles.write(2, record=f"INV-{number}", company=company, session="b")
    await roles.record()
    everything = {finding.finding_id for finding in (await roles.findings()).findings}
    assert len(everything) == 6
    seen: list[str] = []
    token = ""
    while True:
        page = await roles.findings(limit=2, page_token=token)
        seen += [finding.finding_id for finding in page.findings]
        token = page.next_page_token
        if not token:
            break
    assert (len(seen), set(seen)) == (6, everything)
    assert {f.company for f in (await roles.findings(company="SOUTHWIND")).findings} == {"Southwind"}
    assert not (await roles.findings(state=RESOLVED)).findings
    assert not (await roles.findings(kind=listing_pb2.FINDING_KIND_ABSENCE)).findings


async def test_declared_attributes_are_judged_alike_by_recall_and_audit(roles: Roles) -> None:
    older, newer = Timestamp(seconds=1_767_225_600), Timestamp(seconds=1_769_904_000)
    await roles.declare(
        stateful_attributes=["status"],
        multi_valued_attributes=["contact"],
        tolerances=[Tolerance(attribute="total", value="0.10"), Tolerance(attribute="width", value="0")],
    )
    first = {"status": "open", "contact": "Ann", "width": 400}
    await roles.write("8400.00 EUR", metadata=first, observed_at=older, session="a")
    await roles.write("8400.05 EUR", metadata={"status": "sent", "contact": "Bo", "width": 400}, observed_at=newer)
    report = await roles.report()
    assert (report.ok, report.settings_version) == (True, 1)
    assert [found.attribute for found in report.superseded] == ["status"]
    assert await roles.recalled() == []
    await roles.write("8400.30 EUR", metadata={"status": "sent", "width": "400.01"}, observed_at=newer, session="c")
    found = told(list((await roles.report()).contradictions))
    assert [attribute for attribute, *_ in found] == ["total", "width"]
    assert sorted(told(await roles.recalled())) == found


async def test_decisions_are_read_by_whom_and_why(roles: Roles) -> None:
    a, b = await roles.write(8400), await roles.write(8900, metadata={"vendor": "Globex"})
    first = await roles.resolve(a, decision_id="d-1")
    second = await roles.resolve(b, attribute="vendor")
    undone = decisions_pb2.UndoDecisionRequest(tenant_id=roles.tenant_id, actor="cy", decision_id="d-1", reason="no")
    await clients.decisions(roles.ingest).UndoDecision(undone)
    reader = clients.decision_reader(roles.retrieve)

    async def listed(**given: Any) -> list[str]:
        asked = reading_pb2.ListDecisionsRequest(tenant_id=roles.tenant_id, **given)
        return [decision.decision_id for decision in (await reader.ListDecisions(asked)).decisions]

    asked = reading_pb2.GetDecisionRequest(tenant_id=roles.tenant_id, decision_id="d-1")
    decision = (await reader.GetDecision(asked)).decision
    assert (decision.actor, decision.reason, decision.undone_by, decision.undone_reason) == ("bo", "seen", "cy", "no")
    assert (decision.selected_memory_id, list(decision.target_memory_ids)) == (a, [b])
    assert (decision.subject, decision.attribute, decision.finding_id) == ("INV-1", "total", first.finding_ids[0])
    both = [second.decision_id, "d-1"]
    assert await listed() == await listed(memory_id=a) == await listed(company="northwind", record="inv-1") == both
    assert await listed(attribute="vendor") == both[:1]
    page = await reader.ListDecisions(reading_pb2.ListDecisionsRequest(tenant_id=roles.tenant_id, limit=1))
    asked_on = reading_pb2.ListDecisionsRequest(tenant_id=roles.tenant_id, limit=1, page_token=page.next_page_token)
    [last] = (await reader.ListDecisions(asked_on)).decisions
    assert ([page.decisions[0].decision_id, last.decision_id]) == both


@pytest.mark.parametrize(
    ("given", "kind", "reason"),
    [
        ({"limit": 101}, InvalidArgument, "LIMIT_OUT_OF_RANGE"),
        ({"page_token": "x"}, InvalidArgument, "PAGE_TOKEN_INVALID"),
        ({"since_cursor": "x"}, InvalidArgument, "SINCE_CURSOR_INVALID"),
        ({"since_cursor": "x", "page_token": "y"}, InvalidArgument, "SINCE_CURSOR_INVALID"),
        ({"state": 9}, InvalidArgument, "STATE_INVALID"),
        ({"kind": 9}, InvalidArgument, "KIND_INVALID"),
        ({"company": "\0"}, InvalidArgument, "FORBIDDEN_CHARACTER"),
        ({"tenant_id": "x"}, InvalidArgument, "TENANT_INVALID"),
    ],
)
async def test_a_wrong_question_is_named(
    roles: Roles, given: dict[str, Any], kind: type[CandorError], reason: str
) -> None:
    with pytest.raises(kind) as caught:
        await roles.findings(**given)
    assert caught.value.reason == reason
    with pytest.raises(NotFound), rpc_errors():
        await clients.finding_reader(roles.retrieve).GetFinding(
            listing_pb2.GetFindingRequest(tenant_id=roles.tenant_id, finding_id="unknown")
        )
