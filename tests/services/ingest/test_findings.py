"""The life of findings: opened, seen again, acknowledged, gone, back, and changed."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import findings_pb2 as pb
from candor.memory.v1 import finding_pb2

from shared.clock import new_id
from shared.domain.errors import CandorError, FailedPrecondition, InvalidArgument, NotFound
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio

A, B, C = (UUID(int=n) for n in (1, 2, 3))


def contradiction(name: str, *values: tuple[UUID, str]) -> pb.SeenFinding:
    return pb.SeenFinding(
        contradiction=finding_pb2.Contradiction(
            finding_id=name,
            subject="INV-1",
            company="Northwind",
            attribute="total",
            values=[
                finding_pb2.AssertedValue(memory_id=str(i), carrier_memory_ids=[str(i)], value=raw) for i, raw in values
            ],
        )
    )


def absence(name: str) -> pb.SeenFinding:
    found = finding_pb2.Absence(finding_id=name, subject="PO-1", referenced_by=[finding_pb2.Referrer(memory_id=str(A))])
    return pb.SeenFinding(absence=found)


TWO = contradiction("two", (A, "8400"), (B, "8900"))


async def record(
    ingest: Workplace, tenant: UUID, *found: pb.SeenFinding, complete: bool = True, at: datetime | None = None
) -> tuple[int, int, int]:
    """Record findings as seen a minute later; return how many were opened, reopened and resolved."""
    request = pb.RecordFindingsRequest(
        tenant_id=str(tenant), seen_at=wire.to_timestamp(at or ingest.clock.tick()), findings=found, complete=complete
    )
    with rpc_errors():
        answer = await clients.findings(ingest.via).RecordFindings(request)
    return answer.opened, answer.reopened, answer.resolved


async def acknowledge(ingest: Workplace, tenant: UUID, name: str, **given: Any) -> None:
    ingest.clock.tick()
    request = pb.AcknowledgeFindingRequest(
        tenant_id=str(tenant), actor="judge", finding_id=name, **{"reason": "known"} | given
    )
    with rpc_errors():
        await clients.findings(ingest.via).AcknowledgeFinding(request)


async def standing(ingest: Workplace, tenant: UUID) -> dict[str, tuple[Any, ...]]:
    rows = await ingest.rows("SELECT finding_id, state, changed_by, reason FROM finding WHERE tenant_id = $1", tenant)
    return {row[0]: row[1:] for row in rows}


async def about(ingest: Workplace, tenant: UUID, name: str) -> list[UUID]:
    rows = await ingest.rows(
        "SELECT memory_id FROM finding_memory WHERE tenant_id = $1 AND finding_id = $2 ORDER BY 1", tenant, name
    )
    return [memory_id for (memory_id,) in rows]


async def test_a_finding_is_opened_once_and_resolved_when_it_is_gone(ingest: Workplace, tenant: UUID) -> None:
    assert await record(ingest, tenant, TWO, absence("gone")) == (2, 0, 0)
    first = await ingest.rows("SELECT first_seen_at, commit_xid FROM finding WHERE tenant_id = $1 ORDER BY 1", tenant)
    assert await record(ingest, tenant, TWO, absence("gone")) == (0, 0, 0)
    again = await ingest.rows("SELECT first_seen_at, commit_xid FROM finding WHERE tenant_id = $1 ORDER BY 1", tenant)
    assert again == first  # nothing that a reader of changes need be told of
    assert await about(ingest, tenant, "two") == [A, B]
    assert await record(ingest, tenant, TWO) == (0, 0, 1)
    assert await standing(ingest, tenant) == {"two": ("open", None, None), "gone": ("resolved", None, None)}
    assert await record(ingest, tenant, TWO, absence("gone")) == (0, 1, 0)


async def test_only_an_audit_that_is_complete_resolves(ingest: Workplace, tenant: UUID) -> None:
    await record(ingest, tenant, TWO, absence("gone"))
    assert await record(ingest, tenant, complete=False) == (0, 0, 0)
    at = ingest.clock.tick()
    await record(ingest, tenant, TWO, complete=False, at=at)
    assert await record(ingest, tenant, at=at) == (0, 0, 1)
    assert {name: row[0] for name, row in (await standing(ingest, tenant)).items()} == {
        "two": "open",
        "gone": "resolved",
    }


async def test_an_acknowledged_finding_stays_so_until_its_values_change(ingest: Workplace, tenant: UUID) -> None:
    await record(ingest, tenant, TWO)
    await acknowledge(ingest, tenant, "two")
    assert await standing(ingest, tenant) == {"two": ("acknowledged", "judge", "known")}
    assert await record(ingest, tenant, contradiction("two", (A, "8400"), (C, '"8,900.00"'))) == (0, 0, 0)
    assert await standing(ingest, tenant) == {"two": ("acknowledged", "judge", "known")}
    assert await about(ingest, tenant, "two") == [A, C]
    assert await record(ingest, tenant, contradiction("two", (A, "8400"), (C, "9000"))) == (0, 1, 0)
    assert await standing(ingest, tenant) == {"two": ("open", None, None)}


async def test_an_audit_does_not_undo_what_came_after_it(ingest: Workplace, tenant: UUID) -> None:
    early = ingest.clock.tick()
    await record(ingest, tenant, TWO)
    late = await record(ingest, tenant)
    assert late == (0, 0, 1)
    assert await record(ingest, tenant, contradiction("two", (A, "1"), (B, "2")), at=early) == (0, 0, 0)
    assert (await standing(ingest, tenant))["two"][0] == "resolved"
    await record(ingest, tenant, TWO)
    assert await record(ingest, tenant, at=early) == (0, 0, 0)
    assert (await standing(ingest, tenant))["two"][0] == "open"


async def test_a_stale_dependency_is_known_by_what_it_depends_on(ingest: Workplace, tenant: UUID) -> None:
    def stale(value: str) -> pb.SeenFinding:
        current = finding_pb2.AssertedValue(memory_id=str(B), value=value)
        found = finding_pb2.StaleDependency(
            finding_id="stale",
            memory_id=str(A),
            depends_on="LEAD",
            attribute="name",
            former=finding_pb2.AssertedValue(memory_id=str(C), value='"Al"'),
            current=current,
        )
        return pb.SeenFinding(stale=found)

    assert await record(ingest, tenant, stale('"Ann"')) == (1, 0, 0)
    kept = await ingest.rows("SELECT kind, subject, attribute FROM finding WHERE tenant_id = $1", tenant)
    assert kept == [("stale", "LEAD", "name")]
    assert await about(ingest, tenant, "stale") == [A, B, C]
    await acknowledge(ingest, tenant, "stale")
    assert await record(ingest, tenant, stale('"ann"')) == (0, 0, 0)
    assert await record(ingest, tenant, stale('"Bo"')) == (0, 1, 0)
    assert await record(ingest, tenant) == (0, 0, 1)


async def test_tenants_have_findings_of_their_own(ingest: Workplace, tenant: UUID) -> None:
    other = new_id()
    await record(ingest, tenant, TWO)
    assert await record(ingest, other, TWO) == (1, 0, 0)
    assert await record(ingest, other) == (0, 0, 1)
    assert (await standing(ingest, tenant))["two"][0] == "open"
    with pytest.raises(NotFound):
        await acknowledge(ingest, new_id(), "two")


@pytest.mark.parametrize(
    ("found", "reason"),
    [([pb.SeenFinding()], "FINDING_INVALID"), ([absence(f"{n}") for n in range(501)], "FINDINGS_TOO_MANY")],
)
async def test_a_wrong_record_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, found: Sequence[pb.SeenFinding], reason: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await record(ingest, tenant, *found)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == {}
    with pytest.raises(InvalidArgument), rpc_errors():
        await clients.findings(ingest.via).RecordFindings(pb.RecordFindingsRequest(tenant_id=str(tenant)))


@pytest.mark.parametrize(
    ("name", "options", "kind", "reason"),
    [
        ("unknown", {}, NotFound, "FINDING_NOT_FOUND"),
        ("gone", {}, FailedPrecondition, "FINDING_RESOLVED"),
        ("two", {"reason": "x" * 501}, InvalidArgument, "REASON_TOO_LONG"),
        ("\0", {}, InvalidArgument, "FORBIDDEN_CHARACTER"),
    ],
)
async def test_a_wrong_acknowledgement_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, name: str, options: dict[str, Any], kind: type[CandorError], reason: str
) -> None:
    await record(ingest, tenant, TWO, absence("gone"))
    await record(ingest, tenant, TWO)
    before = await ingest.contents(tenant)
    with pytest.raises(kind) as caught:
        await acknowledge(ingest, tenant, name, **options)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == before
