-- The enrichment of turns.

-- name: serialise
-- Let no two turns of a tenant be written to their places at once: each must see what the other has left.
SELECT pg_advisory_xact_lock(hashtextextended('enrich ' || $1::uuid, 0))

-- name: done_by
-- Read what an operation wrote or revived; of each whether it is as the operation left it, and nothing is spoken for by it since; of what has ended in it,
-- whether it may be open for a moment.
SELECT e.memory_id, e.action, m.state, e.changes #>> '{state,before}' AS before,
    NOT EXISTS (
        SELECT FROM memory_event AS later
        WHERE later.tenant_id = $1 AND later.memory_id = e.memory_id AND later.operation_id <> $2
          AND later.action <> 'imported' AND (later.commit_xid, later.recorded_at) > (e.commit_xid, e.recorded_at)
    )
    AND NOT EXISTS (
        SELECT FROM memory AS t JOIN memory_event AS o ON o.tenant_id = $1 AND o.memory_id = t.memory_id AND o.action = 'ended'
        WHERE t.tenant_id = $1 AND t.superseded_by = e.memory_id AND t.state = 'merged'
          AND o.operation_id <> $2 AND (o.commit_xid, o.recorded_at) > (e.commit_xid, e.recorded_at)
    )
    AND (m.ended_at IS NULL OR NOT EXISTS (
        SELECT FROM memory AS o WHERE o.tenant_id = $1 AND o.identity_hash = m.identity_hash AND o.ended_at IS NULL
    )) AS is_as_it_was
FROM memory_event AS e JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = e.memory_id
WHERE e.tenant_id = $1 AND e.operation_id = $2 AND e.action IN ('created', 'restored') AND m.state NOT IN ('incorrect', 'erased')
ORDER BY e.memory_id;
