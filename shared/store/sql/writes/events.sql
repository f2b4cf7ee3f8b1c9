-- Operations and the events they left in the history of memories.

-- name: insert_operation
-- Insert an operation.
INSERT INTO operation (tenant_id, operation_id, action, actor, reason, request_id, recorded_at)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- name: insert_events
-- Insert one event for each memory that an operation wrote.
INSERT INTO memory_event (tenant_id, operation_id, actor, reason, recorded_at, action, event_id, memory_id, revision, changes)
SELECT $1, $2, $3, $4, $5, $6, n.event_id, n.memory_id, n.revision, n.changes::json
FROM unnest($7::uuid[], $8::uuid[], $9::int[], $10::text[]) AS n (event_id, memory_id, revision, changes);
