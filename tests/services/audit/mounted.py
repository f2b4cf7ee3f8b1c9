"""Ingest, retrieve and audit as they are mounted, with a tenant of the test's own; a judge where a test gives one."""

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import asyncpg
import grpc
from candor.audit.v1 import fields_pb2, recording_pb2
from candor.audit.v1.recording_pb2_grpc import RecordingServiceStub
from candor.ingest.v1 import admin_pb2, decisions_pb2, memories_pb2, settings_pb2
from candor.memory.v1 import finding_pb2, memory_pb2
from candor.memory.v1.setting_pb2 import Settings
from candor.retrieve.v1 import findings_pb2 as listing_pb2
from candor.retrieve.v1 import recall_pb2
from pydantic import SecretStr

from services.audit.main import mount as mount_audit
from services.ingest.main import mount as mount_ingest
from services.retrieve.main import mount as mount_retrieve
from shared import config
from shared.rpc import clients, server
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from tests.services.ingest.stand_in import StandIn

OPEN, ACKNOWLEDGED, RESOLVED = (
    listing_pb2.FINDING_STATE_OPEN,
    listing_pb2.FINDING_STATE_ACKNOWLEDGED,
    listing_pb2.FINDING_STATE_RESOLVED,
)


@dataclass(frozen=True, slots=True)
class Roles:
    """Three roles and a tenant of the test's own."""

    ingest: grpc.aio.Channel
    retrieve: grpc.aio.Channel
    audit: grpc.aio.Channel
    tenant_id: str
    dsns: migrate.Dsns

    async def write(self, total: object, **given: Any) -> str:
        metadata = json.dumps({"total": total, "vendor": "Acme"} | given.pop("metadata", {}))
        fields = {"company": "Northwind", "record": "INV-1", "content": f"INV-1: {total}"} | given
        memory = memories_pb2.NewMemory(kind=memory_pb2.KIND_INVOICE, metadata=metadata, **fields)
        request = memories_pb2.CreateMemoryRequest(tenant_id=self.tenant_id, actor="ann", memory=memory)
        return (await clients.memory_writer(self.ingest).CreateMemory(request)).memory.memory_id

    async def resolve(self, selected: str, **given: Any) -> decisions_pb2.ResolveConflictResponse:
        fields = {"subject": "INV-1", "attribute": "total", "reason": "seen"} | given
        request = decisions_pb2.ResolveConflictRequest(
            tenant_id=self.tenant_id, actor="bo", selected_memory_id=selected, **fields
        )
        with rpc_errors():
            return await clients.decisions(self.ingest).ResolveConflict(request)

    async def declare(self, **given: Any) -> None:
        request = settings_pb2.UpdateSettingsRequest(tenant_id=self.tenant_id, settings=Settings(**given))
        await clients.settings(self.ingest).UpdateSettings(request)

    async def recalled(self) -> list[finding_pb2.Contradiction]:
        request = recall_pb2.RecallMemoriesRequest(tenant_id=self.tenant_id, query="INV-1", limit=50)
        return list((await clients.recall(self.retrieve).RecallMemories(request)).conflicts)

    async def report(self) -> fields_pb2.GetAuditReportResponse:
        request = fields_pb2.GetAuditReportRequest(tenant_id=self.tenant_id)
        return await clients.field_audit(self.audit).GetAuditReport(request)

    async def record(self) -> tuple[int, int, int]:
        """Have an audit recorded; return how many findings were opened, reopened and resolved."""
        request = recording_pb2.RecordAuditRequest(tenant_id=self.tenant_id)
        answer = await RecordingServiceStub(self.audit).RecordAudit(request)
        return answer.opened, answer.reopened, answer.resolved

    async def findings(self, **given: Any) -> listing_pb2.ListFindingsResponse:
        with rpc_errors():
            return await clients.finding_reader(self.retrieve).ListFindings(
                listing_pb2.ListFindingsRequest(**{"tenant_id": self.tenant_id} | given)
            )


@asynccontextmanager
async def mounted(database: migrate.Dsns, mount_judge: server.Mount | None = None) -> AsyncIterator[Roles]:
    """Start the roles; what they are mounted with is what production mounts."""

    async def mount_embed(host: server.Host) -> None:
        host.add(StandIn())

    async with AsyncExitStack() as stack:

        async def started(name: str, mount: server.Mount, **targets: str) -> str:
            settings = config.Settings(
                writer_dsn=SecretStr(database.writer),
                reader_dsn=SecretStr(database.reader),
                secret=SecretStr("s" * 32),
                drain_seconds=0.2,
                **{"embed_target": "", "ingest_target": "", "retrieve_target": "", **targets},  # type: ignore[arg-type]
            )
            running = await server.start(name, mount, settings)
            stack.push_async_callback(running.stop)
            return f"127.0.0.1:{running.port}"

        judge = {"judge_target": await started("judge", mount_judge)} if mount_judge else {}
        embed = await started("embed", mount_embed)
        ingest = await started("ingest", mount_ingest, embed_target=embed)
        retrieve = await started("retrieve", mount_retrieve, embed_target=embed, ingest_target=ingest)
        audit = await started("audit", mount_audit, retrieve_target=retrieve, ingest_target=ingest, **judge)
        vias = [clients.channel(target, caller="test") for target in (ingest, retrieve, audit)]
        for via in vias:
            stack.push_async_callback(via.close)
        made = await clients.admin(vias[0]).CreateTenant(admin_pb2.CreateTenantRequest(name="acme"))
        yield Roles(vias[0], vias[1], vias[2], made.tenant_id, database)


async def rows(roles: Roles) -> list[str]:
    """Return every row of what is believed, in full; not when it fades, which a finding that is recorded puts off."""
    connection = await asyncpg.connect(roles.dsns.migrator, server_settings={"search_path": "candor,public"})
    try:
        names = await connection.fetch(
            """SELECT relname AS name FROM pg_class
            WHERE relnamespace = 'candor'::regnamespace AND relkind IN ('r', 'p')
            AND NOT relispartition AND relname <> 'memory_use'
            AND (relname LIKE 'memory%' OR relname IN ('assertion', 'reference')) ORDER BY 1"""
        )
        found = [await connection.fetch(f"SELECT t::text AS row FROM {row['name']} AS t ORDER BY 1") for row in names]
        return [row["row"] for part in found for row in part]
    finally:
        await connection.close()
