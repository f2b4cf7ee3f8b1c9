-- What history tells of times.

-- name: moves
-- Count what moved memories from one state into another up to the last of the given bounds, by the piece of time between bounds.
SELECT
    width_bucket(e.recorded_at, $2::timestamptz[]) AS piece,
    CASE WHEN e.action = 'created' THEN NULL ELSE e.changes #>> '{state,before}' END AS before,
    CASE WHEN e.action = 'created' THEN 'active' ELSE e.changes #>> '{state,after}' END AS after,
    count(*) AS memories
FROM memory_event AS e
WHERE e.tenant_id = $1 AND e.action IN ('created', 'ended', 'restored', 'erased') AND e.recorded_at < $3
  AND (e.action = 'created' OR e.changes #>> '{state,after}' IS NOT NULL) -- erased before the states of a history were kept
GROUP BY 1, 2, 3;

-- name: standing
-- Read what the salience of a memory depends on.
SELECT
    m.memory_id, m.state, m.kind, m.memory_type, m.recorded_at, m.pinned, m.protection, m.expires_at, m.importance,
    u.recall_count, u.last_used_at, u.scored_importance,
    EXISTS (
        SELECT FROM finding_memory AS fm JOIN finding AS f ON f.tenant_id = $1 AND f.finding_id = fm.finding_id
        WHERE fm.tenant_id = $1 AND fm.memory_id = m.memory_id AND f.state <> 'resolved'
    ) AS in_finding
FROM memory AS m
LEFT JOIN LATERAL (
    SELECT recall_count, last_used_at, scored_importance FROM memory_use WHERE tenant_id = $1 AND memory_id = m.memory_id LIMIT 1
) AS u ON true
WHERE m.tenant_id = $1 AND m.memory_id = $2
