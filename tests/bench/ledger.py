"""What a profit and loss account costs at size: one tenant with a million ledger entries, asked over gRPC.

Rules: the entries are made inside PostgreSQL, in an embedded server and 32 partitions of the benchmark's own, and are
removed at the end. Of a hundred five have a former version, two tell again of what another one tells, one is of
unknown currency. Every total is compared with a plain sum of the rows. Each question is asked several times; the median
is told, of time and of CPU time, which tells more where others work too.
Source: REQUIREMENTS E4; issue 6 asks for less than two seconds.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
from candor.retrieve.v1 import ledger_pb2 as ledger_pb
from candor.retrieve.v1 import pnl_pb2 as pb
from candor.retrieve.v1.pnl_pb2_grpc import MoneyServiceStub

from services.retrieve.money import Money
from shared.rpc import wire
from shared.store import embedded, migrate
from shared.store.pool import open_pool
from tests.services.running import role

TENANT = UUID(int=1)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
BEFORE = datetime(2026, 1, 1, tzinfo=UTC)
RUNS = 5
PASSWORDS = {name: f"{name}-of-the-bench" for name in migrate.ROLES}
FILL = """
INSERT INTO ledger_entry (
    tenant_id, operation_id, memory_id, ordinal, revision, side, dedup_key, currency, amount, cash, cash_status, gross,
    employer_social_security, employee_social_security, tax, employee_count, company, company_key, period, period_start,
    period_end, party, invoice_number, dated, decided_from, written_at, recorded_at, ended_at)
SELECT
    $1, gen_random_uuid(), md5('m' || n)::uuid, v, v, side, decode(md5(side || key), 'hex'), currency,
    cost, CASE WHEN side <> 'revenue' AND n % 7 <> 0 THEN cost * 0.75 END,
    CASE n % 7 WHEN 0 THEN 'unknown' ELSE 'partial' END,
    CASE WHEN side = 'payroll' THEN cost * 0.8 END, CASE WHEN side = 'payroll' THEN cost * 0.2 END,
    CASE WHEN side = 'payroll' THEN cost * 0.1 END, CASE WHEN side = 'payroll' THEN cost * 0.1 END,
    CASE WHEN side = 'payroll' THEN 12 END, 'Company ' || n % 500, 'company ' || n % 500,
    to_char(month, 'YYYY-MM'), month, (month + interval '1 month - 1 day')::date,
    'Vendor ' || n % 900, 'INV-' || n, month, '{}', recorded, recorded + (v - 1) * interval '300 days',
    CASE WHEN v < versions THEN recorded + interval '300 days' END
FROM (
    SELECT n, v, versions, CASE WHEN n % 50 = 49 THEN n - 1 ELSE n END AS key,
        CASE WHEN n % 100 < 5 THEN 'payroll' WHEN n % 100 < 30 THEN 'revenue' ELSE 'purchase' END AS side,
        CASE WHEN n % 100 = 99 THEN '' WHEN n % 10 < 6 THEN 'EUR' WHEN n % 10 < 9 THEN 'USD' ELSE 'JPY' END AS currency,
        CASE WHEN n % 10 = 9 THEN (n % 9000 + v)::numeric ELSE (n % 900000 + v)::numeric / 100 END AS cost,
        date '2022-06-01' + (n / 7 % 48)::int * interval '1 month' AS month,
        timestamptz '2025-01-01Z' + n * interval '12 seconds' AS recorded
    FROM generate_series($2::int, $3::int) AS n
    CROSS JOIN LATERAL (SELECT CASE WHEN n % 20 = 3 THEN 2 ELSE 1 END AS versions) AS w
    CROSS JOIN LATERAL generate_series(1, versions) AS v
) AS made"""
PLAIN = """
SELECT currency, side, sum(amount) AS amount FROM ledger_entry AS e
WHERE tenant_id = $1 AND recorded_at <= $2 AND (ended_at IS NULL OR ended_at > $2)
  AND (tenant_id, dedup_key, written_at) IN (
      SELECT tenant_id, dedup_key, max(written_at) FROM ledger_entry
      WHERE tenant_id = $1 AND recorded_at <= $2 AND (ended_at IS NULL OR ended_at > $2) GROUP BY tenant_id, dedup_key)
GROUP BY currency, side"""
BATCH = 50_000


async def _fill(dsn: str, entries: int) -> float:
    owner = await asyncpg.connect(dsn, server_settings={"search_path": "candor,public"})
    begun = time.monotonic()
    for start in range(0, entries, BATCH):
        await owner.execute(FILL, TENANT, start, min(start + BATCH, entries) - 1)
    seconds = time.monotonic() - begun
    await owner.execute("VACUUM ANALYZE ledger_entry")  # as autovacuum does by itself, later
    await owner.close()
    return seconds


async def _compared(dsn: str, report: pb.GetProfitAndLossResponse, at: datetime) -> None:
    """Compare a report with a plain sum. Raises: SystemExit when they differ."""
    owner = await asyncpg.connect(dsn, server_settings={"search_path": "candor,public"})
    rows = {(row["currency"], row["side"]): row["amount"] for row in await owner.fetch(PLAIN, TENANT, at)}
    await owner.close()
    names = {"revenue": "revenue_total", "purchase": "purchases_total", "payroll": "employer_cost_total"}
    for figures in report.by_currency:
        for side, name in names.items():
            told, plain = Decimal(getattr(figures, name)), rows.get((figures.currency, side), Decimal(0))
            if told != plain:
                raise SystemExit(f"ledger: {figures.currency} {side} is {told}, not {plain}")


def _cpu_seconds(processes: Sequence[int]) -> float:
    """Return the CPU time that processes have taken so far: the database's one and ours, which is retrieve's."""
    fields = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in processes]
    return sum(int(stat[11]) + int(stat[12]) for stat in fields) / os.sysconf("SC_CLK_TCK")


async def _measure(dsns: migrate.Dsns) -> None:
    pool = await open_pool(dsns.reader, size=1, application_name="bench")
    backends = [await pool.fetchval("SELECT pg_backend_pid()"), os.getpid()]
    async with role("retrieve", Money(pool, b"k" * 32, lambda: NOW)) as via:
        reader = MoneyServiceStub(via)
        then = wire.to_timestamp(BEFORE)
        questions: dict[str, Any] = {
            "the whole account": {},
            "as it was believed half a year ago": {"known_at": then},
            "as a table": {"format": pb.REPORT_FORMAT_CSV},
            "one year": {"period": "2024"},
            "one company": {"company": "Company 77"},
            "one company's month": {"company": "Company 77", "period": "2024-03"},
        }
        for name, given in questions.items():
            seconds, spent, report = [], [], pb.GetProfitAndLossResponse()
            for _ in range(RUNS):
                begun, before = time.monotonic(), _cpu_seconds(backends)
                report = await reader.GetProfitAndLoss(
                    pb.GetProfitAndLossRequest(tenant_id=str(TENANT), **given), timeout=60
                )
                seconds.append(time.monotonic() - begun)
                spent.append(_cpu_seconds(backends) - before)
            if not given or "known_at" in given:
                await _compared(dsns.migrator, report, BEFORE if given else NOW)
            counted = sum(source.entries for f in report.by_currency for source in f.sources)
            kept = f"{counted:>9,} entries of known currency, {report.ByteSize() / 1024:,.0f} KiB"
            took = (
                f"{statistics.median(seconds):6.3f} s (worst {max(seconds):.3f}), CPU {statistics.median(spent):.3f} s"
            )
            print(f"{name:<36} {took}  {kept}", flush=True)
        begun = time.monotonic()
        page = await reader.ListLedgerEntries(ledger_pb.ListLedgerEntriesRequest(tenant_id=str(TENANT), limit=1000))
        print(f"{'the first 1,000 entries':<36} {time.monotonic() - begun:6.3f} s")
        begun = time.monotonic()
        asked = ledger_pb.ListLedgerEntriesRequest(tenant_id=str(TENANT), limit=1000, page_token=page.next_page_token)
        await reader.ListLedgerEntries(asked)
        print(f"{'the next 1,000':<36} {time.monotonic() - begun:6.3f} s")
    await pool.close()


async def _run(server: embedded.Server, entries: int) -> None:
    dsns = await migrate.migrate(
        server.dsn(), partitions=32, passwords=PASSWORDS, generations=[("all-MiniLM-L6-v2", 384)], database="bench"
    )
    seconds = await _fill(dsns.migrator, entries)
    admin = await asyncpg.connect(server.dsn())
    await admin.execute("CHECKPOINT")  # so that writing what was filled is not measured
    await admin.close()
    print(f"{entries:,} entries that count or repeat, made in {seconds:.0f} s")
    await _measure(dsns)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    arguments = parser.parse_args()
    home = Path(tempfile.mkdtemp(prefix="candor-ledger-"))
    home.chmod(0o755)
    try:
        server = embedded.start(home / "pg", settings={"fsync": "off", "max_wal_size": "4GB"})
        try:
            asyncio.run(_run(server, arguments.entries))
        finally:
            embedded.stop(home / "pg")
            embedded.remove(home / "pg")
    finally:
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
