-- Lines of an archive, written as they are: $1 the tenant, $2 records as a JSON array. And the tenant that may take them.

-- name: is_empty
-- Whether a tenant has nothing that an archive could meet. One that asks at the same time waits.
SELECT pg_advisory_xact_lock(hashtextextended('import-tenant ' || ($1::uuid)::text, 0)) IS NOT NULL
   AND NOT EXISTS (SELECT FROM memory WHERE tenant_id = $1)
   AND NOT EXISTS (SELECT FROM tenant_setting WHERE tenant_id = $1)
   AND NOT EXISTS (SELECT FROM decision WHERE tenant_id = $1)
   AND NOT EXISTS (SELECT FROM finding WHERE tenant_id = $1);

-- name: settle
-- Note that an import has come to its end.
UPDATE memory_import SET is_whole = true WHERE tenant_id = $1 AND import_id = $2;

-- name: tag
-- Insert the tags of live memories.
INSERT INTO memory_tag (tenant_id, memory_id, tag)
SELECT DISTINCT m.tenant_id, m.memory_id, t.tag FROM memory AS m CROSS JOIN LATERAL unnest(m.tags) AS t (tag)
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) AND m.ended_at IS NULL;

-- name: memory
-- Current revisions of memories.
INSERT INTO memory (
    tenant_id, memory_id, revision, recorded_at, ended_at, state, state_reason, superseded_by, kind, content, company, company_key, period,
    period_start, period_end, record, record_key, source_ref, counterparty, counterparty_key, speaker, session, tags, metadata, memory_type,
    importance, pinned, protection, refs, derived_from, source_memory_ids, valid_from, valid_to, expires_at, content_hash, identity_hash,
    operation_id, vector_pending)
SELECT
    $1, r.memory_id, r.revision, r.recorded_at, r.ended_at, r.state, r.state_reason, r.superseded_by, r.kind, r.content, r.company,
    r.company_key, r.period, r.period_start, r.period_end, r.record, r.record_key, r.source_ref, r.counterparty, r.counterparty_key, r.speaker,
    r.session, r.tags, r.metadata::json, r.memory_type, r.importance, r.pinned, r.protection, r.refs, r.derived_from, r.source_memory_ids,
    r.valid_from, r.valid_to, r.expires_at, decode(r.content_hash, 'hex'), decode(r.identity_hash, 'hex'), r.operation_id, false
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, revision int, recorded_at timestamptz, ended_at timestamptz, state text, state_reason text, superseded_by uuid, kind text,
    content text, company text, company_key text, period text, period_start date, period_end date, record text, record_key text, source_ref
    text, counterparty text, counterparty_key text, speaker text, session text, tags text[], metadata text, memory_type text, importance float8,
    pinned boolean, protection text, refs text[], derived_from uuid[], source_memory_ids uuid[], valid_from timestamptz, valid_to timestamptz,
    expires_at timestamptz, content_hash text, identity_hash text, operation_id uuid);

-- name: revision
-- Earlier revisions of memories.
INSERT INTO memory_revision (
    tenant_id, memory_id, revision, recorded_at, ended_at, state, state_reason, superseded_by, kind, content, company, company_key, period,
    period_start, period_end, record, record_key, source_ref, counterparty, counterparty_key, speaker, session, tags, metadata, memory_type,
    importance, pinned, protection, refs, derived_from, source_memory_ids, valid_from, valid_to, expires_at, content_hash, identity_hash,
    operation_id, vector_pending, commit_xid)
SELECT
    $1, r.memory_id, r.revision, r.recorded_at, r.ended_at, r.state, r.state_reason, r.superseded_by, r.kind, r.content, r.company,
    r.company_key, r.period, r.period_start, r.period_end, r.record, r.record_key, r.source_ref, r.counterparty, r.counterparty_key, r.speaker,
    r.session, r.tags, r.metadata::json, r.memory_type, r.importance, r.pinned, r.protection, r.refs, r.derived_from, r.source_memory_ids,
    r.valid_from, r.valid_to, r.expires_at, decode(r.content_hash, 'hex'), decode(r.identity_hash, 'hex'), r.operation_id, false, pg_current_xact_id()
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, revision int, recorded_at timestamptz, ended_at timestamptz, state text, state_reason text, superseded_by uuid, kind text,
    content text, company text, company_key text, period text, period_start date, period_end date, record text, record_key text, source_ref
    text, counterparty text, counterparty_key text, speaker text, session text, tags text[], metadata text, memory_type text, importance float8,
    pinned boolean, protection text, refs text[], derived_from uuid[], source_memory_ids uuid[], valid_from timestamptz, valid_to timestamptz,
    expires_at timestamptz, content_hash text, identity_hash text, operation_id uuid);

-- name: setting
-- Versions of the settings.
INSERT INTO tenant_setting (
    tenant_id, version, settings, actor, reason, operation_id, recorded_at)
SELECT
    $1, r.version, r.settings::json, r.actor, r.reason, r.operation_id, r.recorded_at
FROM json_to_recordset($2::text::json) AS r (
    version int, settings text, actor text, reason text, operation_id uuid, recorded_at timestamptz);

-- name: event
-- What happened to memories: before anything that was committed here, and among itself in the order of its instants.
INSERT INTO memory_event (
    tenant_id, memory_id, event_id, action, revision, actor, reason, operation_id, recorded_at, changes, commit_xid)
SELECT
    $1, r.memory_id, r.event_id, r.action, r.revision, r.actor, r.reason, r.operation_id, r.recorded_at, r.changes::json, '0'::xid8
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, event_id uuid, action text, revision int, actor text, reason text, operation_id uuid, recorded_at timestamptz, changes text);

-- name: assertion
-- What memories assert of records.
INSERT INTO assertion (
    tenant_id, memory_id, attribute, revision, company_key, record_key, kind, raw, canonical, value_type, number, currency, unit,
    counterparty_key, period, valid_from, valid_to, recorded_at, ended_at, ended_reason, operation_id, decision_id, decided_importance,
    decided_at)
SELECT
    $1, r.memory_id, r.attribute, r.revision, r.company_key, r.record_key, r.kind, r.raw, r.canonical, r.value_type, r.number, r.currency,
    r.unit, r.counterparty_key, r.period, r.valid_from, r.valid_to, r.recorded_at, r.ended_at, r.ended_reason, r.operation_id, r.decision_id,
    r.decided_importance, r.decided_at
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, attribute text, revision int, company_key text, record_key text, kind text, raw text, canonical text, value_type text,
    number numeric, currency text, unit text, counterparty_key text, period text, valid_from timestamptz, valid_to timestamptz, recorded_at
    timestamptz, ended_at timestamptz, ended_reason text, operation_id uuid, decision_id text, decided_importance float8, decided_at timestamptz);

-- name: entry
-- What memories say of money.
INSERT INTO ledger_entry (
    tenant_id, memory_id, ordinal, revision, side, dedup_key, currency, amount, cash, cash_status, gross, employer_social_security,
    employee_social_security, tax, employee_count, company, company_key, period, period_start, period_end, party, invoice_number, dated,
    decided_from, valid_from, valid_to, written_at, recorded_at, ended_at, operation_id)
SELECT
    $1, r.memory_id, r.ordinal, r.revision, r.side, decode(r.dedup_key, 'hex'), r.currency, r.amount, r.cash, r.cash_status, r.gross,
    r.employer_social_security, r.employee_social_security, r.tax, r.employee_count, r.company, r.company_key, r.period, r.period_start,
    r.period_end, r.party, r.invoice_number, r.dated, r.decided_from, r.valid_from, r.valid_to, r.written_at, r.recorded_at, r.ended_at,
    r.operation_id
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, ordinal int, revision int, side text, dedup_key text, currency text, amount numeric, cash numeric, cash_status text, gross
    numeric, employer_social_security numeric, employee_social_security numeric, tax numeric, employee_count int, company text, company_key
    text, period text, period_start date, period_end date, party text, invoice_number text, dated date, decided_from uuid[], valid_from
    timestamptz, valid_to timestamptz, written_at timestamptz, recorded_at timestamptz, ended_at timestamptz, operation_id uuid);

-- name: operation
-- Who asked for what, and why.
INSERT INTO operation (
    tenant_id, operation_id, action, actor, reason, request_id, recorded_at)
SELECT
    $1, r.operation_id, r.action, r.actor, r.reason, r.request_id, r.recorded_at
FROM json_to_recordset($2::text::json) AS r (
    operation_id uuid, action text, actor text, reason text, request_id text, recorded_at timestamptz);

-- name: decision
-- What people decided.
INSERT INTO decision (
    tenant_id, number, decision_id, action, finding_id, company, company_key, subject, record_key, attribute, selected_memory_id, effect,
    operation_id, actor, reason, recorded_at, undone_at, undone_by, undone_reason, undo_operation_id)
SELECT
    $1, r.number, r.decision_id, r.action, r.finding_id, r.company, r.company_key, r.subject, r.record_key, r.attribute, r.selected_memory_id,
    r.effect::json, r.operation_id, r.actor, r.reason, r.recorded_at, r.undone_at, r.undone_by, r.undone_reason, r.undo_operation_id
FROM json_to_recordset($2::text::json) AS r (
    number int, decision_id text, action text, finding_id text, company text, company_key text, subject text, record_key text, attribute text,
    selected_memory_id uuid, effect text, operation_id uuid, actor text, reason text, recorded_at timestamptz, undone_at timestamptz, undone_by
    text, undone_reason text, undo_operation_id uuid);

-- name: decision_memory
-- The memories that decisions are about.
INSERT INTO decision_memory (
    tenant_id, decision_id, memory_id, role)
SELECT
    $1, r.decision_id, r.memory_id, r.role
FROM json_to_recordset($2::text::json) AS r (
    decision_id text, memory_id uuid, role text);

-- name: decision_assertion
-- The assertions that decisions ended or confirmed.
INSERT INTO decision_assertion (
    tenant_id, decision_id, memory_id, attribute, revision, ended, before_decision, before_importance, before_decided_at)
SELECT
    $1, r.decision_id, r.memory_id, r.attribute, r.revision, r.ended, r.before_decision, r.before_importance, r.before_decided_at
FROM json_to_recordset($2::text::json) AS r (
    decision_id text, memory_id uuid, attribute text, revision int, ended boolean, before_decision text, before_importance float8,
    before_decided_at timestamptz);

-- name: finding
-- Recorded findings.
INSERT INTO finding (
    tenant_id, finding_id, kind, state, company, company_key, subject, attribute, values_hash, detail, first_seen_at, last_seen_at, changed_at,
    changed_by, reason, decision_id, unjudged_at)
SELECT
    $1, r.finding_id, r.kind, r.state, r.company, r.company_key, r.subject, r.attribute, decode(r.values_hash, 'hex'), decode(r.detail, 'hex'),
    r.first_seen_at, r.last_seen_at, r.changed_at, r.changed_by, r.reason, r.decision_id, r.unjudged_at
FROM json_to_recordset($2::text::json) AS r (
    finding_id text, kind text, state text, company text, company_key text, subject text, attribute text, values_hash text, detail text,
    first_seen_at timestamptz, last_seen_at timestamptz, changed_at timestamptz, changed_by text, reason text, decision_id text, unjudged_at
    timestamptz);

-- name: finding_memory
-- The memories that findings are about.
INSERT INTO finding_memory (
    tenant_id, finding_id, memory_id)
SELECT
    $1, r.finding_id, r.memory_id
FROM json_to_recordset($2::text::json) AS r (
    finding_id text, memory_id uuid);

-- name: use
-- How memories were used; beside when they fade, which may be there.
INSERT INTO memory_use (
    tenant_id, memory_id, recall_count, last_used_at, scored_importance, mentioned_at)
SELECT
    $1, r.memory_id, r.recall_count, r.last_used_at, r.scored_importance, r.mentioned_at
FROM json_to_recordset($2::text::json) AS r (
    memory_id uuid, recall_count bigint, last_used_at timestamptz, scored_importance float8, mentioned_at timestamptz)
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET
    recall_count = excluded.recall_count, last_used_at = excluded.last_used_at, scored_importance = excluded.scored_importance,
    mentioned_at = excluded.mentioned_at;
