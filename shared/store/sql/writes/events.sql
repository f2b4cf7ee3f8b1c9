-- Operations and the events they left in the history of memories.

-- name: insert_operation
-- Insert operations of one actor, action and reason.
INSERT INTO operation (tenant_id, operation_id, action, actor, reason, request_id, recorded_at)
SELECT $1, n.operation_id, $3, $4, $5, $6, $7 FROM unnest($2::uuid[]) AS n (operation_id);

-- name: insert_events
-- Insert one event for each memory that an operation wrote.
INSERT INTO memory_event (tenant_id, operation_id, actor, reason, recorded_at, action, event_id, memory_id, revision, changes)
SELECT $1, n.operation_id, $3, $4, $5, $6, n.event_id, n.memory_id, n.revision, n.changes::json
FROM unnest($2::uuid[], $7::uuid[], $8::uuid[], $9::int[], $10::text[]) AS n (operation_id, event_id, memory_id, revision, changes);
