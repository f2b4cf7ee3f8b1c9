-- Memories that end, and those that come back: the row, and all that hangs on a live memory.

-- name: lock
-- Lock memories in the order of their ids until the end of the transaction and read their current revisions.
SELECT
    memory_id, revision, state, ended_at, importance, superseded_by, vector_pending, recorded_at,
    kind, content, company, period, record, source_ref, counterparty, speaker, session, tags, metadata, pinned,
    valid_from, expires_at, memory_type, refs, derived_from, source_memory_ids, protection
FROM memory
WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
ORDER BY memory_id
FOR UPDATE;

-- name: end
-- End memories at the given instant, or when they were recorded if a clock ahead of ours wrote them.
UPDATE memory AS m SET
    state = n.state, state_reason = n.reason, superseded_by = n.superseded_by, ended_at = greatest($2, m.recorded_at),
    valid_to = coalesce(n.valid_to, m.valid_to), commit_xid = pg_current_xact_id()
FROM unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[]) AS n (memory_id, state, reason, superseded_by, valid_to)
WHERE m.tenant_id = $1 AND m.memory_id = n.memory_id;

-- name: end_assertions
-- End the open assertions of ended memories with them.
UPDATE assertion AS a SET ended_at = m.ended_at, ended_reason = m.state, commit_xid = pg_current_xact_id()
FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[])
  AND a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_at IS NULL;

-- name: delete_tags
-- Delete the tags of ended memories.
DELETE FROM memory_tag WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: delete_references
-- Delete the references of ended memories.
DELETE FROM reference WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: delete_pending
-- Forget that ended memories wait for vectors.
DELETE FROM pending_vector WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: end_terms
-- Move the terms of ended memories into the history; those of a memory that was restored before are there already.
WITH moved AS (
    DELETE FROM memory_lexical WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) RETURNING memory_id, terms, weights, length
)
INSERT INTO memory_lexical_history (tenant_id, memory_id, revision, terms, weights, length)
SELECT m.tenant_id, m.memory_id, m.revision, moved.terms, moved.weights, moved.length
FROM moved JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = moved.memory_id
ON CONFLICT DO NOTHING;

-- name: end_vectors
-- Copy the vectors of ended memories into the history; those of a memory that was restored before are there already.
INSERT INTO memory_vector_g:generation_history (tenant_id, memory_id, revision, passage_no, char_start, char_end, embedding)
SELECT m.tenant_id, m.memory_id, m.revision, v.passage_no, v.char_start, v.char_end, v.embedding
FROM (
    SELECT * FROM memory_vector_g:generation WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
    UNION ALL
    SELECT * FROM memory_vector_g:generation_staging WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
) AS v
JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = v.memory_id
ON CONFLICT DO NOTHING;

-- name: delete_vectors
-- Delete the vectors of ended memories from the index.
DELETE FROM memory_vector_g:generation WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: delete_staged
-- Delete the vectors of ended memories that wait for the index.
DELETE FROM memory_vector_g:generation_staging WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: restore
-- Believe ended memories again.
UPDATE memory SET
    state = 'active', state_reason = NULL, superseded_by = NULL, ended_at = NULL, valid_to = expires_at, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: restore_assertions
-- Open those assertions again that ended with their memory; of an attribute's assertions only the last one can have done so.
UPDATE assertion AS a SET ended_at = NULL, ended_reason = NULL, commit_xid = pg_current_xact_id()
WHERE a.tenant_id = $1 AND a.memory_id = $2 AND a.ended_at = $3 AND a.ended_reason = $4 AND a.attribute = ANY ($5::text[])
  AND NOT EXISTS (
      SELECT FROM assertion AS later
      WHERE later.tenant_id = $1 AND later.memory_id = $2 AND later.attribute = a.attribute AND later.revision > a.revision
  );

-- name: restore_tags
-- Put the tags of restored memories back.
INSERT INTO memory_tag (tenant_id, memory_id, tag)
SELECT m.tenant_id, m.memory_id, t.tag FROM memory AS m CROSS JOIN LATERAL unnest(m.tags) AS t (tag)
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]);

-- name: restore_terms
-- Put the terms of restored memories back.
INSERT INTO memory_lexical (tenant_id, memory_id, terms, weights, length)
SELECT h.tenant_id, h.memory_id, h.terms, h.weights, h.length
FROM memory AS m JOIN memory_lexical_history AS h ON h.tenant_id = $1 AND h.memory_id = m.memory_id AND h.revision = m.revision
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]);

-- name: restore_vectors
-- Put the vectors of restored memories back into the index.
INSERT INTO memory_vector_g:generation (tenant_id, memory_id, passage_no, char_start, char_end, embedding)
SELECT h.tenant_id, h.memory_id, h.passage_no, h.char_start, h.char_end, h.embedding
FROM memory AS m
JOIN memory_vector_g:generation_history AS h ON h.tenant_id = $1 AND h.memory_id = m.memory_id AND h.revision = m.revision
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]);

-- name: without_vectors
-- Of restored memories, name those that the generation has no vector of: they ended before it, or before they had any.
SELECT n.memory_id FROM unnest($2::uuid[]) AS n (memory_id)
WHERE NOT EXISTS (SELECT FROM memory_vector_g:generation AS v WHERE v.tenant_id = $1 AND v.memory_id = n.memory_id);

-- name: mark_pending
-- Say of memories whether they wait for vectors: those named do.
UPDATE memory SET vector_pending = memory_id = ANY ($3::uuid[])
WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND vector_pending <> (memory_id = ANY ($3::uuid[]));

-- name: wait
-- Note memories that wait for vectors.
INSERT INTO pending_vector (tenant_id, memory_id, due_at) SELECT $1, n.memory_id, $3 FROM unnest($2::uuid[]) AS n (memory_id)
ON CONFLICT DO NOTHING;

-- name: weigh
-- Give a memory the importance that a human decision says.
UPDATE memory SET importance = $3, commit_xid = pg_current_xact_id() WHERE tenant_id = $1 AND memory_id = $2;

-- name: relink
-- Say of ended memories, still true until now or not, what took their place and when.
UPDATE memory AS m SET
    state = 'superseded', state_reason = n.reason, superseded_by = n.superseded_by, valid_to = coalesce(n.valid_to, m.valid_to),
    commit_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::text[], $4::uuid[], $5::timestamptz[]) AS n (memory_id, reason, superseded_by, valid_to)
WHERE m.tenant_id = $1 AND m.memory_id = n.memory_id;

-- name: relink_assertions
-- Let what such memories asserted until they ended have ended as they have.
UPDATE assertion AS a SET ended_reason = m.state, commit_xid = pg_current_xact_id()
FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[])
  AND a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_at = m.ended_at AND a.ended_reason IN ('forgotten', 'merged');

-- name: protect
-- Protect memories from fading that nothing protected, and name them.
UPDATE memory AS m SET protection = n.protection, commit_xid = pg_current_xact_id()
FROM unnest($2::uuid[], $3::text[]) AS n (memory_id, protection)
WHERE m.tenant_id = $1 AND m.memory_id = n.memory_id AND m.ended_at IS NULL AND m.protection = 'none'
RETURNING m.memory_id, m.revision, m.protection;

-- name: link_back
-- Let ended memories that an operation let follow others stand as they did before it, if nothing has happened to them since.
UPDATE memory AS m SET
    state = e.changes #>> '{state,before}', superseded_by = (e.changes #>> '{superseded_by,before}')::uuid,
    valid_to = CASE WHEN e.changes #>> '{state,before}' IN ('merged', 'forgotten') THEN m.expires_at ELSE m.valid_to END,
    commit_xid = pg_current_xact_id()
FROM memory_event AS e
WHERE m.tenant_id = $1 AND e.tenant_id = $1 AND e.operation_id = $2 AND e.memory_id = m.memory_id AND e.action = 'ended'
  AND e.changes #>> '{state,before}' <> 'active' AND m.state = 'superseded'
  AND NOT EXISTS (
      SELECT FROM memory_event AS later
      WHERE later.tenant_id = $1 AND later.memory_id = e.memory_id AND later.operation_id <> $2
          AND later.action <> 'imported' AND (later.commit_xid, later.recorded_at) > (e.commit_xid, e.recorded_at)
  )
RETURNING m.memory_id, m.revision, m.state, e.changes #>> '{superseded_by,after}' AS was_superseded_by, m.superseded_by;

-- name: link_back_assertions
-- Let what such memories asserted until they ended have ended as they have.
UPDATE assertion AS a SET ended_reason = m.state, commit_xid = pg_current_xact_id()
FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[])
  AND a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_at = m.ended_at AND a.ended_reason = 'superseded';
