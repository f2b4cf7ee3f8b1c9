-- When memories fade: kept beside their uses, found by index.

-- name: rules
-- Read the tenant's settings in force.
SELECT settings::text FROM tenant_setting WHERE tenant_id = $1 ORDER BY version DESC LIMIT 1;

-- name: standing
-- Read what fading depends on of live memories, in the order of their ids.
SELECT
    m.memory_id, m.revision, m.kind, m.memory_type, m.recorded_at, m.pinned, m.protection, m.expires_at, m.importance,
    u.recall_count, u.last_used_at, u.scored_importance, u.fades_at, u.is_protected,
    EXISTS (
        SELECT FROM finding_memory AS fm JOIN finding AS f ON f.tenant_id = $1 AND f.finding_id = fm.finding_id
        WHERE fm.tenant_id = $1 AND fm.memory_id = m.memory_id AND f.state <> 'resolved'
    ) AS in_finding
FROM memory AS m
LEFT JOIN LATERAL (
    SELECT recall_count, last_used_at, scored_importance, fades_at, is_protected
    FROM memory_use WHERE tenant_id = $1 AND memory_id = m.memory_id LIMIT 1
) AS u ON true
WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) AND m.ended_at IS NULL
ORDER BY m.memory_id;

-- name: set
-- Say when memories fade, and which are kept from it.
INSERT INTO memory_use (tenant_id, memory_id, recall_count, fades_at, is_protected)
SELECT $1, n.memory_id, 0, n.fades_at, n.is_protected
FROM unnest($2::uuid[], $3::timestamptz[], $4::boolean[]) AS n (memory_id, fades_at, is_protected) ORDER BY n.memory_id
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET fades_at = excluded.fades_at, is_protected = excluded.is_protected;

-- name: clear
-- Forget when memories would fade: they have ended.
UPDATE memory_use SET fades_at = NULL, is_protected = false
WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND (fades_at IS NOT NULL OR is_protected);

-- name: begin
-- Let memories begin to fade anew at an instant; that is no use.
INSERT INTO memory_use (tenant_id, memory_id, recall_count, last_used_at)
SELECT $1, n.memory_id, 0, $3 FROM unnest($2::uuid[]) AS n (memory_id) ORDER BY n.memory_id
ON CONFLICT (tenant_id, memory_id) DO UPDATE SET last_used_at = greatest(memory_use.last_used_at, excluded.last_used_at);

-- name: due
-- Read some of those that have faded at an instant, the first to fade first.
SELECT memory_id FROM memory_use
WHERE tenant_id = $1 AND fades_at <= $2 ORDER BY fades_at, memory_id LIMIT $3;

-- name: next
-- Read when the next one fades.
SELECT fades_at FROM memory_use WHERE tenant_id = $1 AND fades_at IS NOT NULL ORDER BY fades_at LIMIT 1;

-- name: population
-- Count the live memories of the kinds that fade.
SELECT (SELECT count(*) FROM memory_use WHERE tenant_id = $1 AND fades_at IS NOT NULL)
     + (SELECT count(*) FROM memory_use WHERE tenant_id = $1 AND is_protected);

-- name: first
-- Read some of those that fade, the first to fade first.
SELECT memory_id FROM memory_use
WHERE tenant_id = $1 AND fades_at IS NOT NULL ORDER BY fades_at, memory_id LIMIT $2;

-- name: live_after
-- Read some live memories in the order of their ids, from after one.
SELECT memory_id FROM memory WHERE tenant_id = $1 AND memory_id > $2 AND ended_at IS NULL ORDER BY memory_id LIMIT $3;

-- name: faded
-- Of the identities, read those of memories that a sweep has forgotten and that no open memory has.
SELECT DISTINCT ON (m.identity_hash) m.identity_hash, m.memory_id FROM memory AS m
WHERE m.tenant_id = $1 AND m.identity_hash = ANY ($2::bytea[]) AND m.state = 'forgotten'
  AND NOT EXISTS (SELECT FROM memory AS o WHERE o.tenant_id = $1 AND o.identity_hash = m.identity_hash AND o.ended_at IS NULL)
  AND (
      SELECT o.action FROM memory_event AS e JOIN operation AS o ON o.tenant_id = $1 AND o.operation_id = e.operation_id
      WHERE e.tenant_id = $1 AND e.memory_id = m.memory_id AND e.action = 'ended' ORDER BY e.commit_xid DESC, e.recorded_at DESC LIMIT 1
  ) = 'sweep'
ORDER BY m.identity_hash, m.ended_at DESC;
