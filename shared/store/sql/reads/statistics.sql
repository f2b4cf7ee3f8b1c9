-- What recall must know before it can ask.

-- name: current_generation
-- The embedding generation that is searched.
SELECT generation, model, dimensions FROM embedding_generation WHERE is_current

-- name: frequencies
-- In how many memories these terms occur; as term 0, how many memories there are.
SELECT 0 AS term_id, memories FROM tenant_stat WHERE tenant_id = $1
UNION ALL
SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND term_id = ANY($2::int[])

-- name: speakers
-- The first $2 speakers by name, each found by a step in the index from the one before.
WITH RECURSIVE known AS (
    SELECT min(speaker) AS speaker FROM memory WHERE tenant_id = $1 AND speaker IS NOT NULL
    UNION ALL
    SELECT (SELECT min(m.speaker) FROM memory AS m WHERE m.tenant_id = $1 AND m.speaker > known.speaker) FROM known WHERE known.speaker IS NOT NULL
)
SELECT speaker FROM known WHERE speaker IS NOT NULL LIMIT $2
