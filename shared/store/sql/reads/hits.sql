-- What is told of the memories that a recall chose. `:columns`: scope.sql.

-- name: chosen
-- The chosen memories, each with how it was used and the attributes of its record on which open assertions differ, found among the record's first $3.
SELECT :columns, u.recall_count, u.last_used_at, u.scored_importance, ARRAY(
    SELECT a.attribute
    FROM (
        SELECT attribute, canonical FROM assertion
        WHERE tenant_id = $1 AND company_key = m.company_key AND record_key = m.record_key AND ended_at IS NULL
        ORDER BY attribute, canonical LIMIT $3
    ) AS a
    GROUP BY a.attribute HAVING min(a.canonical) <> max(a.canonical)
) AS contested
FROM memory AS m
LEFT JOIN LATERAL (
    SELECT recall_count, last_used_at, scored_importance FROM memory_use WHERE tenant_id = $1 AND memory_id = m.memory_id
    LIMIT 1 -- by key, however many memories were used
) AS u ON true
WHERE m.tenant_id = $1 AND m.memory_id = ANY($2::uuid[])

-- name: chosen_believed
-- The chosen revisions, each with the attributes of its record on which assertions that were open at $4 differ.
SELECT m.*, ARRAY(
    SELECT a.attribute
    FROM (
        SELECT attribute, canonical FROM assertion
        WHERE tenant_id = $1 AND company_key = m.company_key AND record_key = m.record_key AND ended_at IS NULL AND recorded_at <= $4
        UNION ALL
        SELECT attribute, canonical FROM assertion
        WHERE tenant_id = $1 AND company_key = m.company_key AND record_key = m.record_key AND ended_reason = 'superseded'
          AND recorded_at <= $4 AND ended_at > $4
    ) AS a
    GROUP BY a.attribute HAVING min(a.canonical) <> max(a.canonical)
) AS contested
FROM unnest($2::uuid[], $3::int[]) AS chosen (memory_id, revision)
CROSS JOIN LATERAL (
    SELECT :columns FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = chosen.memory_id AND m.revision = chosen.revision
    UNION ALL
    SELECT :columns FROM memory_revision AS m WHERE m.tenant_id = $1 AND m.memory_id = chosen.memory_id AND m.revision = chosen.revision
) AS m
