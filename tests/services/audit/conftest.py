"""Audit in front of a retrieve that reads a database of the test's own."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from candor.audit.v1.fields_pb2 import AuditFieldsRequest, AuditFieldsResponse, AuditSummary
from candor.audit.v1.fields_pb2_grpc import FieldAuditServiceStub

from services.audit.field_audit import FieldAudit
from shared.domain.draft import check
from shared.domain.types import Draft
from shared.rpc import clients
from shared.store import migrate
from tests.services.audit.source import SIGNER
from tests.services.retrieve.serving import MINE, Serving, serve
from tests.services.running import role


@dataclass(frozen=True, slots=True)
class Audited:
    """What a test writes through and what it asks."""

    serving: Serving
    stub: FieldAuditServiceStub

    async def add(self, *drafts: Draft) -> list[str]:
        """Write memories at the present instant of the clock, which passes an hour."""
        self.serving.clock.pass_days(1 / 24)
        return [str(memory_id) for memory_id in await self.serving.mine.add(drafts, self.serving.clock.at)]

    async def audit(self, **given: object) -> tuple[list[AuditFieldsResponse], AuditSummary]:
        """Return the findings and the summary."""
        request = AuditFieldsRequest(**{"tenant_id": str(MINE), **given})  # type: ignore[arg-type]
        with clients.rpc_errors():
            lines = [line async for line in self.stub.AuditFields(request)]
        return lines[:-1], lines[-1].summary

    async def told(self, **given: object) -> list[str]:
        """Return the findings in short."""
        return sorted(map(short, (await self.audit(**given))[0]))


def short(line: AuditFieldsResponse) -> str:
    """Name a finding: its kind, its record and what it is about."""
    match line.WhichOneof("item"):
        case "contradiction":
            values = ", ".join(sorted(value.value for value in line.contradiction.values))
            return f"contradiction {line.contradiction.subject} {line.contradiction.attribute}: {values}"
        case "superseded":
            found = line.superseded
            return f"superseded {found.subject} {found.attribute}: {found.former.value} by {found.current.value}"
        case "absence":
            return f"absence {line.absence.subject} {line.absence.expected}".rstrip()
        case "stale":
            found_stale = line.stale
            change = f"{found_stale.former.value} to {found_stale.current.value}"
            return f"stale {found_stale.subject} on {found_stale.depends_on} {found_stale.attribute}: {change}"
    return f"duplicate {line.duplicate.subject}"


def memory(record: str | None, metadata: str = "{}", **given: object) -> Draft:
    """Return a memory of a record; its text follows from what it says unless it is given."""
    fields = {"kind": "document", "record": record, "content": f"{record} {metadata} {given}"}
    return check(**{**fields, "metadata_json": metadata, **given})  # type: ignore[arg-type]


@pytest.fixture
async def audited(database: migrate.Dsns) -> AsyncIterator[Audited]:
    async with (
        serve(database) as serving,
        role("audit", FieldAudit(clients.conflicts(serving.via), SIGNER)) as to_audit,
    ):
        yield Audited(serving, clients.field_audit(to_audit))
