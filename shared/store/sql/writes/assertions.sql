-- Assertions and references: what memories say of records, and which records they point at.

-- name: insert
-- Insert assertions.
INSERT INTO assertion (
    tenant_id, operation_id, recorded_at, memory_id, revision, company_key, record_key, kind, counterparty_key, period,
    valid_from, valid_to, attribute, raw, canonical, value_type, number, currency, unit)
SELECT
    $1, n.operation_id, $3, n.memory_id, n.revision, n.company_key, n.record_key, n.kind, n.counterparty_key, n.period,
    n.valid_from, n.valid_to, n.attribute, n.raw, n.canonical, n.value_type, n.number, n.currency, n.unit
FROM unnest(
    $2::uuid[], $4::uuid[], $5::int[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
    $11::timestamptz[], $12::timestamptz[], $13::text[], $14::text[], $15::text[], $16::text[], $17::numeric[], $18::text[], $19::text[]
) AS n (
    operation_id, memory_id, revision, company_key, record_key, kind, counterparty_key, period,
    valid_from, valid_to, attribute, raw, canonical, value_type, number, currency, unit);

-- name: last
-- Read what a memory asserts, and what it would if no decision had ended it: the last assertion of each attribute, open or decided.
SELECT
    company_key, record_key, kind, counterparty_key, period,
    valid_from, valid_to, attribute, raw, canonical, value_type, number, currency, unit, ended_at IS NULL AS is_open
FROM (
    SELECT DISTINCT ON (attribute) * FROM assertion WHERE tenant_id = $1 AND memory_id = $2 ORDER BY attribute, revision DESC
) AS a
WHERE ended_at IS NULL OR ended_reason = 'decided';

-- name: end
-- End the open assertions of a memory on the given attributes.
UPDATE assertion SET ended_at = $3, ended_reason = $4, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND memory_id = $2 AND attribute = ANY ($5::text[]) AND ended_at IS NULL;

-- name: insert_references
-- Insert references of memories to records.
INSERT INTO reference (tenant_id, memory_id, company_key, target_key, target, is_dependency)
SELECT $1, n.memory_id, n.company_key, n.target_key, n.target, n.is_dependency
FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::boolean[]) AS n (memory_id, company_key, target_key, target, is_dependency);

-- name: delete_references
-- Delete the references of a memory.
DELETE FROM reference WHERE tenant_id = $1 AND memory_id = $2;
