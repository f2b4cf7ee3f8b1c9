"""Plans of the ledger's reads, as the reader role with row-level security on.

One tenant has 20,000 memories with an entry, another one a few: below that a scan of the whole is right.
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime
from uuid import UUID

import asyncpg
import pytest

from shared.domain.money.ledger import Side
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from shared.store.reads import ledger
from shared.store.reads.ledger import Scope
from tests.bench.ledger import FILL, TENANT
from tests.store.test_read_plans import check_plan

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ENTRIES = 20_000
SCOPE = Scope(TENANT, expired_at=NOW)
TOTAL = r"ledger_entry_p\d+_tenant_id_dedup_key_\w*idx"
COMPANY = r"ledger_entry_p\d+_tenant_id_company_key_\w*idx"
WRITTEN = r"ledger_entry_p\d+_tenant_id_written_at_\w*idx"
SIDE = r"ledger_entry_p\d+_tenant_id_side_\w*idx"


@pytest.fixture(scope="module")
async def reader(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Pool]:
    owner = await asyncpg.connect(module_database.migrator, server_settings={"search_path": "candor,public"})
    await owner.execute(FILL, TENANT, 0, ENTRIES - 1)
    await owner.execute(FILL, UUID(int=2), 0, 99)
    await owner.execute("VACUUM ANALYZE ledger_entry")
    await owner.close()
    pool = await open_pool(module_database.reader, size=1, application_name="test")
    yield pool
    await pool.close()


async def plan(pool: Pool, statement: str, *values: object) -> str:
    async def explain(connection: Connection) -> str:
        rows = await connection.fetch(f"EXPLAIN (COSTS OFF) {ledger.statement_of(statement)}", *values)
        return "\n".join(row[0] for row in rows)

    return await run(pool, TENANT, explain, read_only=True)


async def test_a_whole_account_is_one_pass_over_an_index_in_order(reader: Pool) -> None:
    for scope in (SCOPE, replace(SCOPE, known_at=datetime(2025, 6, 1, tzinfo=UTC))):
        found = await plan(reader, "totals", *scope.parameters())
        check_plan(found, f"Index Only Scan using {TOTAL}")
        assert "Sort" not in found.partition("Unique")[2], f"rows are sorted before they are told apart\n{found}"


async def test_a_company_is_read_by_its_index(reader: Pool) -> None:
    scope = replace(SCOPE, company_key="company 7", first_day=date(2024, 3, 1), last_day=date(2024, 3, 31))
    check_plan(await plan(reader, "totals", *scope.parameters()), COMPANY)


async def test_lists_are_read_in_their_order_and_what_counts_is_probed(reader: Pool) -> None:
    latest = await plan(reader, "latest", *SCOPE.parameters(), [Side.PURCHASE], ["EUR"], 50)
    check_plan(latest, f"Index Scan using {SIDE}", f"Index Only Scan using {TOTAL}")
    place = (datetime(2025, 1, 2, tzinfo=UTC), UUID(int=7), 1)
    for after in ((None, None, None), place):
        page = await plan(reader, "page", *SCOPE.parameters(), None, None, *after, 51)
        check_plan(page, f"Index Scan using {WRITTEN}", f"Index Only Scan using {TOTAL}", never="Sort")
    one = await plan(reader, "page", *SCOPE.parameters(), None, UUID(int=7), None, None, None, 51)
    check_plan(one, r"ledger_entry_p\d+_pkey")


async def test_another_tenant_sees_its_own_alone(reader: Pool) -> None:
    async def counted(connection: Connection) -> int:
        return sum(group.sums.records for group in await ledger.totals(connection, replace(SCOPE, tenant_id=TENANT)))

    assert await run(reader, TENANT, counted, read_only=True) == ENTRIES * 98 // 100
    assert await run(reader, UUID(int=2), counted, read_only=True) == 0, "asked for another's, by a wrong condition"
