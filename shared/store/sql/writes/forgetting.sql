-- Plans of what is to be forgotten, and what an operation ended.

-- name: matching
-- Read some live memories that match, the first to be recorded first.
SELECT m.memory_id FROM memory AS m
WHERE m.tenant_id = $1 AND m.ended_at IS NULL
  AND ($2::text IS NULL OR m.kind = $2) AND ($3::text IS NULL OR m.company_key = $3) AND ($4::text IS NULL OR m.session = $4)
  AND ($5::timestamptz IS NULL OR m.recorded_at < $5)
ORDER BY m.recorded_at, m.memory_id LIMIT $6;

-- name: keep_plan
-- Keep a plan.
INSERT INTO forgetting_plan (tenant_id, plan_id, recorded_at, memory_ids, revisions, fade_dates)
VALUES ($1, $2, $3, $4, $5, $6);

-- name: plan
-- Read a plan.
SELECT recorded_at, memory_ids, revisions, fade_dates FROM forgetting_plan WHERE tenant_id = $1 AND plan_id = $2;

-- name: ended_by
-- Read which memories an operation ended, and whether each can come back: it is still ended by that, and nothing else says the same.
SELECT e.memory_id, m.state NOT IN ('active', 'erased')
    AND NOT EXISTS (
        SELECT FROM memory_event AS later
        WHERE later.tenant_id = $1 AND later.memory_id = e.memory_id AND later.action = 'ended'
          AND (later.commit_xid, later.recorded_at) > (e.commit_xid, e.recorded_at)
    )
    AND NOT EXISTS (
        SELECT FROM memory AS o WHERE o.tenant_id = $1 AND o.identity_hash = m.identity_hash AND o.ended_at IS NULL
    ) AS is_back
FROM memory_event AS e JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = e.memory_id
WHERE e.tenant_id = $1 AND e.operation_id = $2 AND e.action = 'ended' AND coalesce(e.changes #>> '{state,before}', 'active') = 'active'
  AND NOT EXISTS (
      SELECT FROM memory_event AS c WHERE c.tenant_id = $1 AND c.operation_id = $2 AND c.memory_id = e.memory_id AND c.action = 'created'
  )
ORDER BY e.memory_id;
