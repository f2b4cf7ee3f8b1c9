-- Documents and money: what is on record of an event, of a record, and uploads that wait for their job.

-- name: serialise
-- Let writes of one payroll event or invoice run one after the other.
SELECT pg_advisory_xact_lock(hashtextextended('money ' || $1::uuid || ' ' || $2, 0));

-- name: papers
-- Read the open documents that refer to a record, in the order they were written.
SELECT
    m.memory_id, m.revision, m.state, m.vector_pending, m.recorded_at,
    m.kind, m.content, m.company, m.period, m.record, m.source_ref, m.counterparty, m.speaker, m.session, m.tags, m.metadata,
    m.importance, m.pinned, m.valid_from, m.expires_at, m.memory_type, m.refs, m.derived_from, m.source_memory_ids, m.protection
FROM reference AS r JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = r.memory_id
WHERE r.tenant_id = $1 AND r.company_key = $2 AND r.target_key = $3 AND m.kind = 'document' AND m.state = 'active'
ORDER BY m.recorded_at, m.record_key, m.memory_id;

-- name: of_records
-- Read the open memories of records, oldest first.
SELECT
    m.memory_id, m.revision, m.state, m.vector_pending, m.recorded_at, m.record_key,
    m.kind, m.content, m.company, m.period, m.record, m.source_ref, m.counterparty, m.speaker, m.session, m.tags, m.metadata,
    m.importance, m.pinned, m.valid_from, m.expires_at, m.memory_type, m.refs, m.derived_from, m.source_memory_ids, m.protection
FROM memory AS m
WHERE m.tenant_id = $1 AND m.company_key = $2 AND m.record_key = ANY ($3::text[]) AND m.state = 'active'
ORDER BY m.recorded_at, m.memory_id;

-- name: keep_upload
-- Keep documents until their job has read them.
INSERT INTO document_upload (tenant_id, job_id, position, declared, content, recorded_at)
SELECT $1, $2, u.position, u.declared, u.content, $6 FROM unnest($3::int[], $4::text[], $5::bytea[]) AS u (position, declared, content);

-- name: uploaded
-- Read the documents of a job, without their bytes.
SELECT position, declared, reading FROM document_upload WHERE tenant_id = $1 AND job_id = $2 ORDER BY position;

-- name: upload_content
-- Read the bytes of a document that waits.
SELECT content FROM document_upload WHERE tenant_id = $1 AND job_id = $2 AND position = $3;

-- name: keep_reading
-- Keep what a document says, in place of its bytes.
UPDATE document_upload SET reading = $4, content = NULL WHERE tenant_id = $1 AND job_id = $2 AND position = $3;

-- name: drop_uploads
-- Let go of the documents of a job, and of those whose job has been given up long ago.
DELETE FROM document_upload WHERE tenant_id = $1 AND (job_id = $2 OR recorded_at < $3);
