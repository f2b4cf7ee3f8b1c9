-- Memories: rows of the current revision, and the move of an earlier one into its history.

-- name: insert
-- Insert new memories that no open memory is identical to, and return the ids of those that went in.
INSERT INTO memory (
    tenant_id, operation_id, recorded_at, revision, state, memory_id, vector_pending,
    kind, content, company, company_key, period, period_start, period_end, record, record_key, source_ref,
    counterparty, counterparty_key, speaker, session, tags, metadata, memory_type, importance, pinned, refs,
    derived_from, source_memory_ids, protection, valid_from, valid_to, expires_at, content_hash, identity_hash)
SELECT
    $1, n.operation_id, $3, 1, 'active', n.memory_id, n.vector_pending,
    n.kind, n.content, n.company, n.company_key, n.period, n.period_start, n.period_end, n.record, n.record_key, n.source_ref,
    n.counterparty, n.counterparty_key, n.speaker, n.session, n.tags::text[], n.metadata::json, n.memory_type, n.importance, n.pinned, n.refs::text[],
    n.derived_from::uuid[], n.source_memory_ids::uuid[], n.protection, n.valid_from, n.valid_to, n.expires_at, n.content_hash, n.identity_hash
FROM unnest(
    $2::uuid[], $4::uuid[], $5::boolean[],
    $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::date[], $12::date[], $13::text[], $14::text[], $15::text[],
    $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[], $23::float8[], $24::boolean[], $25::text[],
    $26::text[], $27::text[], $28::text[], $29::timestamptz[], $30::timestamptz[], $31::timestamptz[], $32::bytea[], $33::bytea[]
) AS n (
    operation_id, memory_id, vector_pending,
    kind, content, company, company_key, period, period_start, period_end, record, record_key, source_ref,
    counterparty, counterparty_key, speaker, session, tags, metadata, memory_type, importance, pinned, refs,
    derived_from, source_memory_ids, protection, valid_from, valid_to, expires_at, content_hash, identity_hash)
ON CONFLICT (tenant_id, identity_hash) WHERE ended_at IS NULL DO NOTHING
RETURNING memory_id;

-- name: open_by_identity
-- Read the open memories that have one of the given identities.
SELECT identity_hash, memory_id, revision, vector_pending, recorded_at
FROM memory
WHERE tenant_id = $1 AND identity_hash = ANY ($2::bytea[]) AND ended_at IS NULL;

-- name: lock
-- Lock a memory until the end of the transaction and read what a plan must be compared with.
SELECT revision, state FROM memory WHERE tenant_id = $1 AND memory_id = $2 FOR UPDATE;

-- name: keep_revision
-- Copy the current revision into the history, ended at the given instant.
INSERT INTO memory_revision (
    tenant_id, memory_id, revision, kind, content, company, company_key, period, period_start, period_end, record,
    record_key, source_ref, counterparty, counterparty_key, speaker, session, tags, metadata, memory_type, importance,
    pinned, refs, derived_from, source_memory_ids, valid_from, valid_to, expires_at, recorded_at, ended_at, state,
    state_reason, superseded_by, vector_pending, content_hash, identity_hash, operation_id, commit_xid, protection)
SELECT
    tenant_id, memory_id, revision, kind, content, company, company_key, period, period_start, period_end, record,
    record_key, source_ref, counterparty, counterparty_key, speaker, session, tags, metadata, memory_type, importance,
    pinned, refs, derived_from, source_memory_ids, valid_from, valid_to, expires_at, recorded_at, $3, state,
    state_reason, superseded_by, vector_pending, content_hash, identity_hash, operation_id, commit_xid, protection
FROM memory
WHERE tenant_id = $1 AND memory_id = $2;

-- name: replace_revision
-- Put the next revision in the place of the current one.
UPDATE memory SET
    operation_id = $2, recorded_at = $3, revision = revision + 1, commit_xid = pg_current_xact_id(), vector_pending = $5,
    kind = $6, content = $7, company = $8, company_key = $9, period = $10, period_start = $11, period_end = $12,
    record = $13, record_key = $14, source_ref = $15, counterparty = $16, counterparty_key = $17, speaker = $18,
    session = $19, tags = $20::text::text[], metadata = $21::text::json, memory_type = $22, importance = $23, pinned = $24,
    refs = $25::text::text[], derived_from = $26::text::uuid[], source_memory_ids = $27::text::uuid[], protection = $28,
    valid_from = $29, valid_to = $30, expires_at = $31, content_hash = $32, identity_hash = $33
WHERE tenant_id = $1 AND memory_id = $4;

-- name: insert_tags
-- Insert tags of memories.
INSERT INTO memory_tag (tenant_id, memory_id, tag)
SELECT $1, n.memory_id, n.tag FROM unnest($2::uuid[], $3::text[]) AS n (memory_id, tag);

-- name: delete_tags
-- Delete the tags of a memory.
DELETE FROM memory_tag WHERE tenant_id = $1 AND memory_id = $2;

-- name: lock_unembedded
-- Lock a memory that still waits for its vectors in the revision they were made for.
SELECT true FROM memory
WHERE tenant_id = $1 AND memory_id = $2 AND revision = $3 AND vector_pending AND ended_at IS NULL
FOR UPDATE;

-- name: mark_embedded
-- Say that a memory has its vectors now.
UPDATE memory SET vector_pending = false WHERE tenant_id = $1 AND memory_id = $2;
