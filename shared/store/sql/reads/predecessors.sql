-- What memories took the place of. `:columns` and `:filters`: scope.sql.

-- name: predecessors
-- The superseded memories before each of $17, nearest first, at most $18 of each, in a scope, as known at $16. What was merged into one of them is passed through.
SELECT t.successor, p.*
FROM unnest($17::uuid[]) AS t (successor)
CROSS JOIN LATERAL (
    WITH RECURSIVE chain AS (
        SELECT t.successor AS memory_id, 0 AS steps
        UNION ALL
        SELECT m.memory_id, chain.steps + 1
        FROM chain
        JOIN memory AS m ON m.tenant_id = $1 AND m.superseded_by = chain.memory_id
        WHERE m.superseded_by IS NOT NULL AND (m.state = 'superseded' OR m.kind <> 'turn')
          AND ($16::timestamptz IS NULL OR m.ended_at <= $16) AND chain.steps < $18::int
    ), first AS (
        SELECT memory_id, min(steps) AS steps FROM (SELECT * FROM chain LIMIT $19::int) AS looked GROUP BY memory_id
    )
    SELECT :columns, first.steps FROM first JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = first.memory_id
    WHERE first.steps > 0 AND m.state = 'superseded' AND (:filters) AND $13::text = 'active'
    ORDER BY first.steps, m.valid_to DESC NULLS LAST, m.memory_id
    LIMIT $18
) AS p
ORDER BY t.successor, p.steps, p.valid_to DESC NULLS LAST, p.memory_id
