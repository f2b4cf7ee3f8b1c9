-- Consolidation: its order, its plans, its cursor, and what a digest inherits.

-- name: serialise
-- Let no two digests of a tenant be written at once.
SELECT pg_advisory_xact_lock(hashtextextended('consolidate ' || $1::uuid, 0));

-- name: keep_plan
-- Keep a plan.
INSERT INTO consolidation_plan (tenant_id, plan_id, recorded_at, digest_ids, numbers, memory_ids, revisions)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: plan
-- Read a plan.
SELECT recorded_at, digest_ids, numbers, memory_ids, revisions FROM consolidation_plan WHERE tenant_id = $1 AND plan_id = $2;

-- name: inherit
-- Give digests the uses of their sources, added up, and the most that they matter.
INSERT INTO memory_use (tenant_id, memory_id, recall_count, last_used_at, scored_importance, mentioned_at)
SELECT
    $1, n.digest_id, coalesce(sum(u.recall_count), 0), max(u.last_used_at), max(u.scored_importance), max(u.mentioned_at)
FROM unnest($2::uuid[], $3::uuid[]) AS n (digest_id, memory_id)
LEFT JOIN memory_use AS u ON u.tenant_id = $1 AND u.memory_id = n.memory_id
GROUP BY n.digest_id
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET
    recall_count = excluded.recall_count, last_used_at = excluded.last_used_at,
    scored_importance = excluded.scored_importance, mentioned_at = excluded.mentioned_at;

-- name: advance
-- Note up to where memories were looked at; a cursor never goes back.
INSERT INTO consolidation_cursor (tenant_id, commit_xid, memory_id) VALUES ($1, $2::text::xid8, $3)
ON CONFLICT (tenant_id) DO UPDATE SET commit_xid = excluded.commit_xid, memory_id = excluded.memory_id
WHERE (consolidation_cursor.commit_xid, consolidation_cursor.memory_id) < (excluded.commit_xid, excluded.memory_id);

-- name: merged
-- Read which memories are merged into a digest still, and of each whether another open memory says the same by now.
SELECT m.memory_id, EXISTS (
    SELECT FROM memory AS o WHERE o.tenant_id = $1 AND o.identity_hash = m.identity_hash AND o.ended_at IS NULL
) AS is_said
FROM memory AS d JOIN memory AS m ON m.tenant_id = $1 AND m.superseded_by = d.memory_id AND m.state = 'merged' AND m.kind <> 'turn'
WHERE d.tenant_id = $1 AND d.memory_id = $2 AND d.memory_type = 'consolidated'
ORDER BY m.memory_id;

-- name: made
-- Read which memories an operation wrote or ended, in the order of their ids, and which of them is its digest, if that is active.
SELECT e.memory_id, e.action = 'created' AS is_digest, m.state = 'active' AS is_active
FROM memory_event AS e JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = e.memory_id
WHERE e.tenant_id = $1 AND e.operation_id = $2 AND e.action IN ('created', 'ended') ORDER BY e.memory_id;
