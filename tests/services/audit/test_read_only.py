"""No audit writes: each runs with the reader's rights, which cannot, and every row is the same afterwards."""

import asyncpg
import pytest
from candor.audit.v1.fields_pb2 import GetAuditPolicyRequest, GetAuditReportRequest
from candor.retrieve.v1.recall_pb2 import RecallMemoriesRequest

from shared.rpc import clients
from shared.store import migrate
from tests.services.audit.conftest import Audited, memory
from tests.services.retrieve.serving import MINE

pytestmark = pytest.mark.anyio


async def rows_of(dsns: migrate.Dsns) -> dict[str, str | None]:
    """Return a hash of every table's rows, physical places and transactions included."""
    connection = await asyncpg.connect(dsns.migrator)
    try:
        tables = [
            row["name"]
            for row in await connection.fetch(
                "SELECT relname AS name FROM pg_class "
                "WHERE relnamespace = 'candor'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition"
            )
        ]
        hashed = "SELECT md5(string_agg(t::text || ctid || xmin || xmax, '|' ORDER BY t::text)) FROM candor.{} AS t"
        return {name: await connection.fetchval(hashed.format(name)) for name in sorted(tables)}
    finally:
        await connection.close()


async def test_every_audit_leaves_every_row_as_it_was(audited: Audited) -> None:
    since = (await audited.audit())[1].next_since
    lead = (await audited.add(memory("TEAM", '{"lead": "Ann"}')))[0]
    await audited.add(
        memory("INV-1", '{"total": 1, "status": "paid"}', kind="invoice"),
        memory("INV-1", '{"total": 2}', kind="invoice"),
        memory("RULE", '{"depends_on": "TEAM"}'),
        memory("TWIN", content="same"),
        memory("TWIN", content="same", session="b"),
        memory(None, references=["GONE"]),
    )
    audited.serving.clock.pass_days(1)
    ids = {str(memory_id): memory_id for memory_id in audited.serving.mine.kept}
    await audited.serving.mine.patch(ids[lead], audited.serving.clock.now(), metadata_json='{"lead": "Bo"}')
    before = await rows_of(audited.serving.dsns)
    assert {"memory", "memory_revision", "assertion", "reference", "memory_event", "finding"} <= before.keys()

    whole = await audited.told()
    assert [one.partition(" ")[0] for one in whole] == [
        "absence",
        "absence",
        "contradiction",
        "duplicate",
        "stale",
        "superseded",
    ]
    assert await audited.told(since=since) == whole
    await audited.audit(company="", period="2026-01")
    for sign in (False, True):
        await audited.stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(MINE), sign=sign))
    await audited.stub.GetAuditPolicy(GetAuditPolicyRequest(tenant_id=str(MINE)))
    await clients.recall(audited.serving.via).RecallMemories(
        RecallMemoriesRequest(tenant_id=str(MINE), query="INV-1 total", limit=10)
    )
    assert await rows_of(audited.serving.dsns) == before


@pytest.mark.parametrize("table", ["memory", "memory_revision", "assertion", "reference", "finding", "memory_event"])
async def test_the_role_that_reads_for_an_audit_cannot_write(database: migrate.Dsns, table: str) -> None:
    connection = await asyncpg.connect(database.reader)
    try:
        for right in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):
            assert not await connection.fetchval("SELECT has_table_privilege($1, $2)", f"candor.{table}", right)
        assert not await connection.fetchval("SELECT has_any_column_privilege($1, 'UPDATE')", f"candor.{table}")
    finally:
        await connection.close()
