"""A tenant to which everything has happened, and what an export says of a tenant.

Rules: what a life is made of is done through the services, never by SQL. It does not know archives.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from json import dumps
from typing import Any
from uuid import UUID

import grpc
from candor.ingest.v1 import archive_pb2, memories_pb2
from candor.memory.v1.memory_pb2 import MEMORY_TYPE_EPISODIC, STATE_SUPERSEDED
from candor.retrieve.v1 import export_pb2 as pb

from shared.rpc import moving_stubs
from shared.rpc.clients import rpc_errors
from tests.services.ingest.judging import feedback, invalidate, invoice, resolve, restore, undo
from tests.services.ingest.test_consolidation import TEA, consolidate, told
from tests.services.ingest.test_erasure import erase
from tests.services.ingest.test_findings import TWO, absence, acknowledge, record
from tests.services.ingest.test_forgetting import forget
from tests.services.ingest.test_forgetting import undo as undo_operation
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_settings import declare
from tests.services.ingest.test_sweep import swept, trivia
from tests.services.ingest.workplace import Workplace

ODD = '{"total":18400.00,"exact":12345678901234567890123.40,"text":"tab\\t, quote \\", é, 日本, \\u0001, </x>"}'


@dataclass(frozen=True)
class Both:
    """Ingest, and a channel to retrieve."""

    ingest: Workplace
    via: grpc.aio.Channel


async def patched(ingest: Workplace, tenant: UUID, memory_id: str, **given: object) -> None:
    """Write the next revision of a memory."""
    ingest.clock.tick()
    patch = memories_pb2.MemoryPatch(**given)  # type: ignore[arg-type]
    await ingest.writer.UpdateMemory(
        memories_pb2.UpdateMemoryRequest(tenant_id=str(tenant), actor="ann", memory_id=memory_id, patch=patch)
    )


async def live_all(ingest: Workplace, tenant: UUID) -> dict[str, str]:
    """Let everything happen to a tenant; return some of its memories by what became of them."""
    ids: dict[str, str] = {}
    await declare(ingest, tenant, stateful_attributes=["city"], reason="so it is")
    ids["patched"] = await invoice(ingest, tenant, 100, record="INV-9", source_ref="mail/9 ✓", speaker="Ann")
    await patched(ingest, tenant, ids["patched"], metadata=dumps({"total": 120, "vendor": "Acme"}))
    await patched(ingest, tenant, ids["patched"], content="INV-9, line one\nline two \U0001f98a")
    odd = await ingest.create(tenant, "Odd values.", metadata=ODD, company="Ünïted", record="X-1")
    ids["odd"] = odd.memory.memory_id
    ids["won"], ids["lost"] = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900, session="b")
    await resolve(ingest, tenant, ids["won"], [ids["lost"]])
    one, other = [await invoice(ingest, tenant, total, record="INV-8", session=str(total)) for total in (1, 2)]
    undone = await resolve(ingest, tenant, one, [other], subject="INV-8")
    await undo(ingest, tenant, undone.decision_id)
    corrected = await invoice(ingest, tenant, 50, record="INV-2", period="2026-05")
    ids["corrected"] = corrected
    fixed = dumps({"total": 55, "vendor": "Acme"})
    await feedback(ingest, tenant, corrected, "incorrect", corrected_fact="It is 55.", corrected_metadata=fixed)
    ids["ended"] = await invoice(ingest, tenant, 1, record="INV-3")
    await invalidate(ingest, tenant, ids["ended"], state=STATE_SUPERSEDED)
    ids["restored"] = await invoice(ingest, tenant, 2, record="INV-4", importance=0.25)
    await invalidate(ingest, tenant, ids["restored"])
    await restore(ingest, tenant, ids["restored"])
    await ingest.uses.ReinforceMemories(used(tenant, "asked", ids["restored"], ids["won"]))
    ids["forgotten"] = await trivia(ingest, tenant, "forgotten by choice", session="s")
    shown = await forget(ingest, tenant, preview=True, memory_ids=[ids["forgotten"]])
    await forget(ingest, tenant, plan_id=shown.plan_id, reason="no use")
    sources = await told(ingest, tenant, TEA, TEA, TEA, memory_type=MEMORY_TYPE_EPISODIC)
    ids["merged"] = sources[0]
    preview = await consolidate(ingest, tenant, preview=True)
    await consolidate(ingest, tenant, plan_id=preview.plan_id)
    again = await told(ingest, tenant, *["User plays chess on Sundays."] * 3)
    second = await consolidate(ingest, tenant, plan_id=(await consolidate(ingest, tenant, preview=True)).plan_id)
    await undo_operation(ingest, tenant, second.digests[0].operation_id)
    ids["unmerged"] = again[0]
    ids["erased"] = await invoice(ingest, tenant, 3, record="INV-5", content="a secret of INV-5")
    await erase(ingest, tenant, memory_ids=[ids["erased"]], reason="asked for")
    await record(ingest, tenant, TWO, absence("gone"))
    await acknowledge(ingest, tenant, "two")
    ids["faded"] = await trivia(ingest, tenant, "a trifle that fades")
    ingest.clock.tick(40 * 86_400)
    await swept(ingest, tenant)
    ids["last"] = await invoice(ingest, tenant, "9.250,30", record="INV-6", counterparty="Globex", pinned=True)
    ingest.clock.tick()
    return ids


async def exported(both: Both, tenant: UUID, resume_token: str = "") -> list[pb.ExportTenantResponse]:
    """Return the lines of an export."""
    with rpc_errors():
        request = pb.ExportTenantRequest(tenant_id=str(tenant), resume_token=resume_token)
        return [line async for line in moving_stubs.exporter(both.via).ExportTenant(request)]


def records(lines: list[pb.ExportTenantResponse]) -> list[tuple[str, str]]:
    """Return what lines say, without their tokens."""
    return [(line.part, line.record) for line in lines]


async def imported(
    both: Both, tenant: UUID, said: Sequence[tuple[str, str]], *, first_line: int = 1, **given: Any
) -> archive_pb2.ImportTenantResponse:
    """Send the lines of an archive from one on."""
    lines = [
        archive_pb2.ArchiveLine(number=number, line=archive_pb2.ArchiveRecord(part=part, record=record))
        for number, (part, record) in enumerate(said, start=1)
        if number >= first_line
    ]

    async def requests() -> AsyncIterator[archive_pb2.ImportTenantRequest]:
        yield archive_pb2.ImportTenantRequest(
            tenant_id=str(tenant), actor="mover", **{"first_line": first_line, "request_id": "the move", **given}
        )
        for start in range(0, len(lines), 7):
            yield archive_pb2.ImportTenantRequest(lines=lines[start : start + 7])

    with rpc_errors():
        return await moving_stubs.importer(both.ingest.via).ImportTenant(requests())
