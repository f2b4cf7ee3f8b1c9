-- Erasure: what is meant, what hangs on it, and its end. The deletions are in the database (migration 0063).

-- name: of_company
-- The memories of a company that are not erased yet, a bounded number.
SELECT memory_id FROM memory WHERE tenant_id = $1 AND company_key = $2 AND state <> 'erased' ORDER BY memory_id LIMIT $3;

-- name: all
-- How many memories there are that are not erased yet.
SELECT count(*) FROM memory WHERE tenant_id = $1 AND state <> 'erased';

-- name: known
-- Of these ids, those of memories that are not erased yet.
SELECT memory_id FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND state <> 'erased';

-- name: kin
-- The memories that hang on these: read from them, repeating them, or spoken for by them. One pass over the tenant.
SELECT memory_id, memory_type, state, source_memory_ids, derived_from, superseded_by
FROM memory
WHERE tenant_id = $1 AND state <> 'erased'
  AND (source_memory_ids && $2::uuid[] OR derived_from && $2 OR (state = 'merged' AND superseded_by = ANY ($2)));

-- name: sources
-- What erased memories were read from and what stays.
SELECT DISTINCT s.memory_id
FROM memory AS m CROSS JOIN LATERAL unnest(m.source_memory_ids) AS u (memory_id)
JOIN memory AS s ON s.tenant_id = $1 AND s.memory_id = u.memory_id AND s.state <> 'erased'
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) AND s.memory_id <> ALL ($2)
ORDER BY 1;

-- name: can_return
-- Of these memories, those that no open memory says again.
SELECT m.memory_id FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[])
  AND NOT EXISTS (
      SELECT FROM memory AS o
      WHERE o.tenant_id = $1 AND o.identity_hash = m.identity_hash AND o.ended_at IS NULL AND o.memory_id <> m.memory_id
  )
ORDER BY 1;

-- name: erase
-- Erase memories and all that speaks of them.
SELECT name, erased FROM erase_memories($1::uuid[], $2);

-- name: erase_tenant
-- Erase everything of the tenant.
SELECT name, erased FROM erase_tenant();
