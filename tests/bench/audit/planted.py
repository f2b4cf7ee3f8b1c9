"""A tenant of any size with planted findings, made inside PostgreSQL as ingest would write it, vectors and words aside.

Rules: two memories each speak of one record, with an amount, a status and a due date. Of every hundred memories one
contradiction is planted; beside it copies, superseded values, dangling references, and decoys that differ in writing or
in period and must stay silent. The numbers below say how often, by the number of the record. It does not know how
findings are made.
"""

from dataclasses import dataclass
from uuid import UUID

import asyncpg

EACH_CONTRADICTION = 50  # one record in so many: one contradiction for each hundred memories
EACH_DUPLICATE = 1_000
EACH_SUPERSEDED = 1_000
EACH_DANGLING = 1_000
EACH_DECOY = 20  # differs in period and amount, or in the spelling of the status

_MEMORIES = """
INSERT INTO candor.memory (
    tenant_id, memory_id, revision, kind, content, company, company_key, period, record, record_key, source_ref,
    session, tags, metadata, memory_type, pinned, refs, derived_from, source_memory_ids, recorded_at, state,
    vector_pending,
    content_hash, identity_hash, operation_id)
SELECT $1, m.id, 1, 'invoice', m.content, 'Company ' || m.r % 500, 'company ' || m.r % 500,
       CASE WHEN m.r % 20 = 7 THEN '2026-0' || 1 + m.half END, 'INV-' || m.r, 'inv-' || m.r, 'mail-' || m.i,
       's-' || m.half, '{}', json_build_object('amount', m.r, 'currency', 'EUR'), 'semantic', false, '{}', '{}', '{}',
       timestamptz '2026-01-01' + m.i * interval '1 second', 'active', false,
       sha256(m.content::bytea), sha256(m.i::text::bytea), gen_random_uuid()
FROM (
    SELECT i, i / 2 AS r, i % 2 AS half, gen_random_uuid() AS id,
           'Invoice INV-' || i / 2 || ' over EUR ' || i / 2
               || CASE WHEN i / 2 % 1000 = 3 THEN '' ELSE ', as read in session ' || i END AS content
    FROM generate_series($2::int, $3::int) AS i
) AS m
"""
_ASSERTIONS = """
INSERT INTO candor.assertion (
    tenant_id, memory_id, attribute, revision, company_key, record_key, kind, raw, canonical, value_type, number,
    currency, period, recorded_at, operation_id)
SELECT m.tenant_id, m.memory_id, a.attribute, 1, m.company_key, m.record_key, m.kind, a.raw, a.canonical,
       a.value_type, a.number, a.currency, m.period, m.recorded_at, m.operation_id
FROM (
    SELECT *, substr(record_key, 5)::int AS r, (session = 's-1')::int AS half FROM candor.memory WHERE tenant_id = $1
) AS m
CROSS JOIN LATERAL (
    SELECT m.r + 1000 + CASE WHEN m.r % 50 = 1 OR m.r % 20 = 7 THEN m.half * 500 ELSE 0 END AS amount
) AS v
CROSS JOIN LATERAL (
    VALUES ('amount', v.amount::text, v.amount || ' EUR', 'money', v.amount::numeric, 'EUR'),
           ('status', CASE WHEN m.r % 20 = 9 AND m.half = 1 THEN '" OPEN "' ELSE '"open"' END, 'open', 'text',
            NULL, NULL),
           ('due_date', '"2026-05-01"', '2026-05-01', 'date', NULL, NULL)
) AS a (attribute, raw, canonical, value_type, number, currency)
"""
_SUPERSEDED = """
INSERT INTO candor.assertion (
    tenant_id, memory_id, attribute, revision, company_key, record_key, kind, raw, canonical, value_type, number,
    currency, recorded_at, ended_at, ended_reason, operation_id)
SELECT tenant_id, memory_id, 'amount', 0, company_key, record_key, kind, '7', '7 EUR', 'money', 7, 'EUR',
       recorded_at - interval '1 second', recorded_at, 'superseded', operation_id
FROM candor.memory WHERE tenant_id = $1 AND session = 's-0' AND substr(record_key, 5)::int % 1000 = 5
"""
_REFERENCES = """
INSERT INTO candor.reference (tenant_id, company_key, target_key, memory_id, target)
SELECT tenant_id, company_key, t.key, memory_id, t.key
FROM candor.memory
CROSS JOIN LATERAL (
    SELECT CASE WHEN substr(record_key, 5)::int % 1000 = 10 THEN 'pay-' || substr(record_key, 5)
                WHEN substr(record_key, 5)::int % 10 = 0 THEN record_key END AS key
) AS t
WHERE tenant_id = $1 AND session = 's-0' AND t.key IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class Planted:
    """How many findings of each sort are there to be found."""

    memories: int
    contradictions: int
    duplicates: int
    superseded: int
    absences: int


def planted(memories: int) -> Planted:
    """Count what is planted among so many memories."""
    records = range(memories // 2)
    return Planted(
        memories=memories,
        contradictions=sum(r % EACH_CONTRADICTION == 1 and r % EACH_DECOY != 7 for r in records),
        duplicates=sum(r % EACH_DUPLICATE == 3 for r in records),
        superseded=sum(r % EACH_SUPERSEDED == 5 for r in records),
        absences=sum(r % EACH_DANGLING == 10 for r in records),
    )


async def plant(dsn: str, tenant_id: UUID, memories: int, step: int = 250_000) -> Planted:
    """Write the memories as the migrator, then do what autovacuum does within minutes."""
    connection = await asyncpg.connect(dsn)
    try:
        for start in range(0, memories, step):
            await connection.execute(_MEMORIES, tenant_id, start, min(start + step, memories) - 1)
        await connection.execute(_ASSERTIONS, tenant_id)
        await connection.execute(_SUPERSEDED, tenant_id)
        await connection.execute(_REFERENCES, tenant_id)
        for table in ("memory", "assertion", "reference"):
            await connection.execute(f"VACUUM (ANALYZE) candor.{table}")
    finally:
        await connection.close()
    return planted(memories)
