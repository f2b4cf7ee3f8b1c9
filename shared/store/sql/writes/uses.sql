-- Uses of memories: each counted once for a request.

-- name: count
-- Count the use of those active memories for which the request was not counted before.
WITH counted AS (
    INSERT INTO memory_use_event (tenant_id, request_id, memory_id, used_at)
    SELECT $1, $2, m.memory_id, $4
    FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = ANY ($3::uuid[]) AND m.ended_at IS NULL
    ORDER BY m.memory_id
    ON CONFLICT (tenant_id, request_id, memory_id) DO NOTHING
    RETURNING memory_id
)
INSERT INTO memory_use (tenant_id, memory_id, recall_count, last_used_at)
SELECT $1, memory_id, 1, $4 FROM counted ORDER BY memory_id
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET
    recall_count = memory_use.recall_count + 1, last_used_at = greatest(memory_use.last_used_at, excluded.last_used_at)
RETURNING memory_id;

-- name: active
-- Count those of the memories that are active.
SELECT count(*) FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND ended_at IS NULL;

-- name: score
-- Note how much memories matter by a model or rules, and when they were told last.
INSERT INTO memory_use (tenant_id, memory_id, recall_count, scored_importance, mentioned_at)
SELECT $1, n.memory_id, 0, n.importance, n.mentioned_at
FROM unnest($2::uuid[], $3::float8[], $4::timestamptz[]) AS n (memory_id, importance, mentioned_at)
ORDER BY n.memory_id
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET
    scored_importance = greatest(memory_use.scored_importance, excluded.scored_importance),
    mentioned_at = greatest(memory_use.mentioned_at, excluded.mentioned_at);
