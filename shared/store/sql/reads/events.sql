-- What happened to a memory.

-- name: page
-- The events of one memory, oldest first, after the place ($3, $4, $5) in that order.
SELECT event_id, action, revision, actor, reason, operation_id, recorded_at, changes
FROM memory_event
WHERE tenant_id = $1 AND memory_id = $2 AND (revision, recorded_at, event_id) > ($3::int, $4::timestamptz, $5::uuid)
ORDER BY revision, recorded_at, event_id LIMIT $6
