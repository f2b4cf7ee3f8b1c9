-- What a write reads first to plan itself; all of it is checked again inside its writing transaction.

-- name: basis
-- Read the current embedding generation and the tenant's statistics.
SELECT g.generation, g.model, g.dimensions, coalesce(s.memories, 0) AS memories, coalesce(s.terms, 0) AS terms
FROM embedding_generation AS g LEFT JOIN tenant_stat AS s ON s.tenant_id = $1
WHERE g.is_current;

-- name: generation
-- Read the current embedding generation.
SELECT generation, model, dimensions FROM embedding_generation WHERE is_current;

-- name: current
-- Read the current revision of a memory.
SELECT
    revision, state, vector_pending, recorded_at,
    kind, content, company, period, record, source_ref, counterparty, speaker, session, tags, metadata, importance, pinned,
    valid_from, expires_at, memory_type, refs, derived_from, source_memory_ids, protection
FROM memory
WHERE tenant_id = $1 AND memory_id = $2;

-- name: operation
-- Read an operation and the memories it wrote.
SELECT
    o.action, o.actor, o.reason, o.request_id, o.recorded_at,
    ARRAY(
        SELECT DISTINCT e.memory_id FROM memory_event AS e
        WHERE e.tenant_id = $1 AND e.operation_id = o.operation_id ORDER BY e.memory_id LIMIT 1000
    ) AS memory_ids
FROM operation AS o
WHERE o.tenant_id = $1 AND o.operation_id = $2;
