-- A tenant's memory as JSON lines, as of an instant: $1 the tenant, $2 keys, $3 the instant. Each statement names the key of its page and the line.
-- JSON that callers wrote, exact numbers and bytes are strings: read and written again, they stay what they were.

-- name: utc
-- Write instants in UTC until the end of the transaction.
SET LOCAL TimeZone = 'UTC';

-- name: setting_keys
-- The next versions of the settings.
SELECT version::text AS key FROM tenant_setting
WHERE tenant_id = $1 AND ($2::text IS NULL OR version > $2::int) AND recorded_at <= $4 ORDER BY version LIMIT $3;

-- name: memory_keys
-- The next memories.
SELECT memory_id::text AS key FROM memory
WHERE tenant_id = $1 AND memory_id > coalesce($2::text, '00000000-0000-0000-0000-000000000000')::uuid
  AND $4::timestamptz IS NOT NULL
ORDER BY memory_id LIMIT $3;

-- name: operation_keys
-- The next operations; an import of an archive is none of the history that it brought.
SELECT operation_id::text AS key FROM operation
WHERE tenant_id = $1 AND operation_id > coalesce($2::text, '00000000-0000-0000-0000-000000000000')::uuid
  AND recorded_at <= $4 AND action <> 'import-tenant'
ORDER BY operation_id LIMIT $3;

-- name: decision_keys
-- The next decisions.
SELECT number::text AS key FROM decision
WHERE tenant_id = $1 AND ($2::text IS NULL OR number > $2::int) AND recorded_at <= $4 ORDER BY number LIMIT $3;

-- name: finding_keys
-- The next findings.
SELECT finding_id AS key FROM finding
WHERE tenant_id = $1 AND finding_id > coalesce($2::text, '') COLLATE "C" AND first_seen_at <= $4 ORDER BY finding_id LIMIT $3;

-- name: setting
-- Versions of the settings.
SELECT r.version::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT version, settings::text AS settings, actor, reason, operation_id, recorded_at
    FROM tenant_setting WHERE tenant_id = $1 AND version = ANY ($2::text[]::int[]) AND recorded_at <= $3
) AS r ORDER BY r.version;

-- name: memory
-- Revisions of memories. What ended later was believed then, but an erased memory has no former self.
SELECT r.memory_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT
        memory_id, revision, is_current OR ended_at > $3 AS current, recorded_at,
        CASE WHEN is_past THEN ended_at END AS ended_at, CASE WHEN is_past THEN state ELSE 'active' END AS state,
        CASE WHEN is_past THEN state_reason END AS state_reason, CASE WHEN is_past THEN superseded_by END AS superseded_by,
        kind, content, company, period, record, source_ref, counterparty, speaker, session, tags, metadata::text AS metadata, memory_type, importance,
        pinned, protection, refs, derived_from, source_memory_ids, valid_from, valid_to, expires_at, operation_id
    FROM (
        SELECT *, ended_at <= $3 OR state = 'erased' AS is_past FROM (
            SELECT
                memory_id, revision, recorded_at, ended_at, state, state_reason, superseded_by, kind, content, company, period, record, source_ref,
                counterparty, speaker, session, tags, metadata, memory_type, importance, pinned, protection, refs, derived_from, source_memory_ids,
                valid_from, valid_to, expires_at, operation_id, true AS is_current
            FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3
            UNION ALL
            SELECT
                memory_id, revision, recorded_at, ended_at, state, state_reason, superseded_by, kind, content, company, period, record, source_ref,
                counterparty, speaker, session, tags, metadata, memory_type, importance, pinned, protection, refs, derived_from, source_memory_ids,
                valid_from, valid_to, expires_at, operation_id, false
            FROM memory_revision WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3
        ) AS m
    ) AS m
) AS r ORDER BY r.memory_id, r.revision;

-- name: event
-- What happened to memories; that they were imported is not what happened where they come from.
SELECT r.memory_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT memory_id, event_id, action, revision, actor, reason, operation_id, recorded_at, changes::text AS changes
    FROM memory_event WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3 AND action <> 'imported'
) AS r ORDER BY r.memory_id, r.revision, r.recorded_at, r.event_id;

-- name: assertion
-- What memories assert of records.
SELECT r.memory_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT
        memory_id, attribute, revision, company_key, record_key, kind, raw, canonical, value_type, number::text AS number, currency, unit,
        counterparty_key, period, valid_from, valid_to, recorded_at, CASE WHEN ended_at <= $3 THEN ended_at END AS ended_at,
        CASE WHEN ended_at <= $3 THEN ended_reason END AS ended_reason, operation_id, decision_id, decided_importance, decided_at
    FROM assertion WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3
) AS r ORDER BY r.memory_id, r.attribute COLLATE "C", r.revision;

-- name: use
-- How memories were used.
SELECT r.memory_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT memory_id, recall_count, last_used_at, scored_importance, mentioned_at
    FROM memory_use WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[])
      AND $3::timestamptz IS NOT NULL AND (recall_count > 0 OR last_used_at IS NOT NULL OR scored_importance IS NOT NULL OR mentioned_at IS NOT NULL)
) AS r ORDER BY r.memory_id;

-- name: entry
-- What memories say of money.
SELECT r.memory_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT
        memory_id, ordinal, revision, side, encode(dedup_key, 'hex') AS dedup_key, currency, amount::text AS amount, cash::text AS cash, cash_status,
        gross::text AS gross, employer_social_security::text AS employer_social_security,
        employee_social_security::text AS employee_social_security, tax::text AS tax, employee_count, company, company_key, period, period_start,
        period_end, party, invoice_number, dated, decided_from, valid_from, valid_to, written_at, recorded_at,
        CASE WHEN ended_at <= $3 THEN ended_at END AS ended_at, operation_id
    FROM ledger_entry WHERE tenant_id = $1 AND memory_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3
) AS r ORDER BY r.memory_id, r.ordinal;

-- name: operation
-- Who asked for what, and why.
SELECT r.operation_id::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT operation_id, action, actor, reason, request_id, recorded_at
    FROM operation WHERE tenant_id = $1 AND operation_id = ANY ($2::text[]::uuid[]) AND recorded_at <= $3
) AS r ORDER BY r.operation_id;

-- name: decision
-- What people decided. What was undone later still held.
SELECT r.number::text AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT
        number, decision_id, action, finding_id, company, company_key, subject, record_key, attribute, selected_memory_id, effect::text AS effect,
        operation_id, actor, reason, recorded_at, CASE WHEN undone_at <= $3 THEN undone_at END AS undone_at,
        CASE WHEN undone_at <= $3 THEN undone_by END AS undone_by, CASE WHEN undone_at <= $3 THEN undone_reason END AS undone_reason,
        CASE WHEN undone_at <= $3 THEN undo_operation_id END AS undo_operation_id
    FROM decision WHERE tenant_id = $1 AND number = ANY ($2::text[]::int[]) AND recorded_at <= $3
) AS r ORDER BY r.number;

-- name: decision_memory
-- The memories that decisions are about.
SELECT r.number::text AS key, json_strip_nulls(json_build_object('decision_id', r.decision_id, 'memory_id', r.memory_id, 'role', r.role))::text AS line
FROM (
    SELECT d.number, m.decision_id, m.memory_id, m.role FROM decision AS d
    JOIN decision_memory AS m ON m.tenant_id = $1 AND m.decision_id = d.decision_id
    WHERE d.tenant_id = $1 AND d.number = ANY ($2::text[]::int[]) AND d.recorded_at <= $3
) AS r ORDER BY r.number, r.memory_id;

-- name: decision_assertion
-- The assertions that decisions ended or confirmed.
SELECT r.number::text AS key, json_strip_nulls(json_build_object(
    'decision_id', r.decision_id, 'memory_id', r.memory_id, 'attribute', r.attribute, 'revision', r.revision, 'ended', r.ended,
    'before_decision', r.before_decision, 'before_importance', r.before_importance, 'before_decided_at', r.before_decided_at))::text AS line
FROM (
    SELECT
        d.number, a.decision_id, a.memory_id, a.attribute, a.revision, a.ended, a.before_decision, a.before_importance, a.before_decided_at
    FROM decision AS d JOIN decision_assertion AS a ON a.tenant_id = $1 AND a.decision_id = d.decision_id
    WHERE d.tenant_id = $1 AND d.number = ANY ($2::text[]::int[]) AND d.recorded_at <= $3
) AS r ORDER BY r.number, r.memory_id, r.attribute COLLATE "C", r.revision;

-- name: finding
-- Recorded findings, as they stand.
SELECT r.finding_id AS key, json_strip_nulls(row_to_json(r))::text AS line FROM (
    SELECT
        finding_id, kind, state, company, company_key, subject, attribute, encode(values_hash, 'hex') AS values_hash, encode(detail, 'hex') AS detail,
        first_seen_at, last_seen_at, changed_at, changed_by, reason, decision_id, unjudged_at
    FROM finding WHERE tenant_id = $1 AND finding_id = ANY ($2::text[]) AND first_seen_at <= $3
) AS r ORDER BY r.finding_id;

-- name: finding_memory
-- The memories that findings are about.
SELECT r.finding_id AS key, json_strip_nulls(json_build_object('finding_id', r.finding_id, 'memory_id', r.memory_id))::text AS line
FROM (
    SELECT m.finding_id, m.memory_id FROM finding AS f
    JOIN finding_memory AS m ON m.tenant_id = $1 AND m.finding_id = f.finding_id
    WHERE f.tenant_id = $1 AND f.finding_id = ANY ($2::text[]) AND f.first_seen_at <= $3
) AS r ORDER BY r.finding_id, r.memory_id;
