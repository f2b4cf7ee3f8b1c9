-- What was written to since a point in the order of commits, and which of that is material of an audit.

-- name: point
-- Which transactions are seen now, with the database's identity and history.
SELECT pg_current_snapshot()::text AS snapshot,
       (SELECT system_identifier FROM pg_control_system()) || '/' || (SELECT timeline_id FROM pg_control_checkpoint()) AS epoch

-- name: memories
-- The memories that were written to by what the snapshot $2 does not see, or of which an assertion was; at most about $3.
SELECT memory_id FROM (
    SELECT memory_id FROM memory
    WHERE tenant_id = $1 AND commit_xid >= pg_snapshot_xmin($2::text::pg_snapshot)
      AND NOT pg_visible_in_snapshot(commit_xid, $2::text::pg_snapshot)
    LIMIT $3
) AS written
UNION
SELECT memory_id FROM (
    SELECT memory_id FROM assertion
    WHERE tenant_id = $1 AND commit_xid >= pg_snapshot_xmin($2::text::pg_snapshot)
      AND NOT pg_visible_in_snapshot(commit_xid, $2::text::pg_snapshot)
    LIMIT $3
) AS asserted

-- name: groups
-- The attributes of records on which these memories say something, or said until something that the snapshot $3 does not see changed it.
SELECT DISTINCT company_key, record_key, attribute
FROM assertion
WHERE tenant_id = $1 AND memory_id = ANY($2::uuid[]) AND (ended_at IS NULL OR NOT pg_visible_in_snapshot(commit_xid, $3::text::pg_snapshot))
  AND ($4::text IS NULL OR company_key = $4)
ORDER BY company_key, record_key, attribute

-- name: places
-- What these memories are or were: their records, sources, periods and contents; earlier revisions included.
SELECT company_key, record_key, source_ref, period, content_hash, ended_at IS NULL AS is_open
FROM memory
WHERE tenant_id = $1 AND memory_id = ANY($2::uuid[]) AND ($3::text IS NULL OR company_key = $3)
UNION
SELECT company_key, record_key, source_ref, period, NULL, false
FROM memory_revision
WHERE tenant_id = $1 AND memory_id = ANY($2::uuid[]) AND ($3::text IS NULL OR company_key = $3)

-- name: targets
-- The records that these memories refer to.
SELECT DISTINCT company_key, target_key
FROM reference
WHERE tenant_id = $1 AND memory_id = ANY($2::uuid[]) AND ($3::text IS NULL OR company_key = $3)

-- name: contested
-- Those of the groups ($5, $6, $7) of which open values that meet differ, or one is superseded, in their order, with the number of both.
SELECT g.company_key, g.record_key, g.attribute, open.assertions + superseded.assertions AS assertions
FROM unnest($5::text[], $6::text[], $7::text[]) WITH ORDINALITY AS g (company_key, record_key, attribute, place)
CROSS JOIN LATERAL (
    SELECT count(*) AS assertions, min(canonical) <> max(canonical) AS is_contested,
           count(period) AS periods, count(counterparty_key) AS counterparties
    FROM assertion AS a
    WHERE a.tenant_id = $1 AND a.company_key = g.company_key AND a.record_key = g.record_key AND a.attribute = g.attribute
      AND a.ended_at IS NULL
      AND ($2::text IS NULL OR a.company_key = $2)
      AND ($3::text IS NULL OR a.period IS NULL OR a.period = $3)
      AND ($4::text IS NULL OR a.kind = $4)
) AS open
CROSS JOIN LATERAL (
    SELECT count(*) AS assertions
    FROM assertion AS a
    WHERE a.tenant_id = $1 AND a.company_key = g.company_key AND a.record_key = g.record_key AND a.attribute = g.attribute
      AND a.ended_reason = 'superseded'
      AND ($2::text IS NULL OR a.company_key = $2)
      AND ($3::text IS NULL OR a.period IS NULL OR a.period = $3)
      AND ($4::text IS NULL OR a.kind = $4)
) AS superseded
WHERE superseded.assertions > 0 OR open.is_contested AND (
    open.periods < open.assertions AND open.counterparties < open.assertions OR EXISTS (
        SELECT FROM assertion AS a
        WHERE a.tenant_id = $1 AND a.company_key = g.company_key AND a.record_key = g.record_key AND a.attribute = g.attribute
          AND a.ended_at IS NULL
          AND ($3::text IS NULL OR a.period IS NULL OR a.period = $3)
          AND ($4::text IS NULL OR a.kind = $4)
        GROUP BY CASE WHEN open.periods = open.assertions THEN period END,
                 CASE WHEN open.counterparties = open.assertions THEN counterparty_key END
        HAVING min(canonical) <> max(canonical)
    )
)
ORDER BY g.place

-- name: missing
-- Those of the records ($2, $3) that are referred to and not stored, in their order.
SELECT company_key, target_key
FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS r (company_key, target_key, place)
WHERE EXISTS (
    SELECT FROM reference AS w WHERE w.tenant_id = $1 AND w.company_key = r.company_key AND w.target_key = r.target_key
) AND NOT EXISTS (
    SELECT FROM memory AS m
    WHERE m.tenant_id = $1 AND m.company_key = r.company_key AND m.record_key = r.target_key AND m.state NOT IN ('incorrect', 'erased')
) AND NOT EXISTS (
    SELECT FROM reference AS w JOIN memory AS m ON m.tenant_id = w.tenant_id AND m.source_ref IN (w.target, w.target_key)
    WHERE w.tenant_id = $1 AND w.company_key = r.company_key AND w.target_key = r.target_key
      AND m.company_key = r.company_key AND m.state NOT IN ('incorrect', 'erased')
)
ORDER BY place
