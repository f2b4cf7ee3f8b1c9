-- What consolidation plans by: what was written since the last pass, its neighbours in the vector index, and what is known of both.

-- name: cursor
-- Read up to where a tenant's memories were looked at.
SELECT commit_xid::text AS commit_xid, memory_id FROM consolidation_cursor WHERE tenant_id = $1

-- name: waits
-- Tell whether vectors wait for the index.
SELECT EXISTS (SELECT FROM memory_vector_g:generation_staging WHERE tenant_id = $1)

-- name: changed
-- Read the next live memories after a place in the order of commits; with $5 only those before which nothing can be committed any more.
SELECT m.memory_id, m.commit_xid::text AS commit_xid
FROM memory AS m
WHERE m.tenant_id = $1 AND m.commit_xid >= $2::text::xid8 AND (m.commit_xid, m.memory_id) > ($2::text::xid8, $3::uuid)
  AND m.ended_at IS NULL AND m.kind IN ('note', 'insight')
  AND (NOT $5 OR m.commit_xid < pg_snapshot_xmin(pg_current_snapshot()))
ORDER BY m.commit_xid, m.memory_id LIMIT $4

-- name: beam
-- Look for neighbours less widely than a recall does: only near ones are asked for, and ten of them.
SET LOCAL hnsw.ef_search = 40

-- name: near
-- Read the memories whose first passages are nearest to those of the given ones, at most $3 each and $4 away; a digest, which tells of how often
-- too, is further from what it says.
SELECT n.memory_id, near.memory_id AS other_id
FROM unnest($2::uuid[]) AS n (memory_id)
JOIN memory_vector_g:generation AS own ON own.tenant_id = $1 AND own.memory_id = n.memory_id AND own.passage_no = 0
CROSS JOIN LATERAL (
    SELECT v.memory_id, v.embedding <=> own.embedding AS distance FROM memory_vector_g:generation AS v
    WHERE v.tenant_id = $1 ORDER BY v.embedding <=> own.embedding LIMIT $3
) AS near
WHERE near.memory_id <> n.memory_id AND (near.distance <= $4::float8 OR EXISTS (
    SELECT FROM memory AS d WHERE d.tenant_id = $1 AND d.memory_id IN (n.memory_id, near.memory_id) AND d.memory_type = 'consolidated'
))

-- name: restating
-- Read the live memories that say the same words of the same record as the given ones, at most $3 each.
SELECT n.memory_id, same.memory_id AS other_id
FROM memory AS n
CROSS JOIN LATERAL (
    SELECT m.memory_id FROM memory AS m
    WHERE m.tenant_id = $1 AND m.content_hash = n.content_hash AND m.ended_at IS NULL ORDER BY m.memory_id LIMIT $3
) AS same
WHERE n.tenant_id = $1 AND n.memory_id = ANY ($2::uuid[]) AND same.memory_id <> n.memory_id

-- name: sources
-- Read memories that may be digested: live, of one passage, in no finding that is not resolved, with nothing that a decision has ended.
SELECT
    m.memory_id, m.revision, m.recorded_at, v.embedding,
    kind, content, company, period, record, source_ref, counterparty, speaker, session, tags, metadata, importance, pinned,
    valid_from, expires_at, memory_type, refs, derived_from, source_memory_ids, protection
FROM memory AS m
JOIN memory_vector_g:generation AS v ON v.tenant_id = $1 AND v.memory_id = m.memory_id AND v.passage_no = 0
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) AND m.ended_at IS NULL AND m.kind IN ('note', 'insight')
  AND NOT EXISTS (
      SELECT FROM memory_vector_g:generation AS more WHERE more.tenant_id = $1 AND more.memory_id = m.memory_id AND more.passage_no = 1
  )
  AND NOT EXISTS (
      SELECT FROM finding_memory AS fm JOIN finding AS f ON f.tenant_id = $1 AND f.finding_id = fm.finding_id
      WHERE fm.tenant_id = $1 AND fm.memory_id = m.memory_id AND f.state <> 'resolved'
  )
  AND NOT EXISTS (
      SELECT FROM assertion AS a WHERE a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_reason = 'decided'
  )
ORDER BY m.memory_id

-- name: written
-- Tell which of these memories were written.
SELECT memory_id FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
