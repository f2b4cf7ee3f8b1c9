-- The raw material of a field audit, page by page, and of the conflicts of a recall.

-- name: totals
-- How many open memories and records a scope has, and the newest recorded time of the tenant.
SELECT coalesce(sum(memories), 0)::bigint AS memories, count(record_key) AS records,
       (SELECT max(recorded_at) FROM memory WHERE tenant_id = $1) AS newest_at
FROM (
    SELECT record_key, count(*) AS memories
    FROM memory
    WHERE tenant_id = $1 AND ended_at IS NULL
      AND ($2::text IS NULL OR company_key = $2)
      AND ($3::text IS NULL OR period IS NULL OR period = $3)
      AND ($4::text IS NULL OR kind = $4)
    GROUP BY company_key, record_key
) AS by_record

-- name: newest
-- The newest recorded time of the tenant.
SELECT max(recorded_at) FROM memory WHERE tenant_id = $1

-- name: superseded_groups
-- The next attributes of records, after ($5, $6, $7), that have assertions ended as superseded, and how many.
SELECT company_key, record_key, attribute, count(*) AS assertions
FROM assertion
WHERE tenant_id = $1 AND ended_reason = 'superseded'
  AND ($2::text IS NULL OR company_key = $2)
  AND ($3::text IS NULL OR period IS NULL OR period = $3)
  AND ($4::text IS NULL OR kind = $4)
  AND (company_key, record_key, attribute) > ($5::text, $6::text, $7::text)
GROUP BY company_key, record_key, attribute
ORDER BY company_key, record_key, attribute LIMIT $8

-- name: contested_groups
-- The next attributes of records, after ($5, $6, $7) and up to ($9, $10, $11), on which open assertions that meet differ, and how many are open.
-- One pass over an index; where all give a period, or all a counterparty, a probe of the same index tells whether those of one differ.
SELECT company_key, record_key, attribute, assertions
FROM (
    SELECT company_key, record_key, attribute, count(*) AS assertions, count(period) AS periods, count(counterparty_key) AS counterparties
    FROM assertion
    WHERE tenant_id = $1 AND ended_at IS NULL
      AND ($2::text IS NULL OR company_key = $2)
      AND ($3::text IS NULL OR period IS NULL OR period = $3)
      AND ($4::text IS NULL OR kind = $4)
      AND (company_key, record_key, attribute) > ($5::text, $6::text, $7::text)
      AND ($9::text IS NULL OR (company_key, record_key, attribute) <= ($9, $10::text, $11::text))
    GROUP BY company_key, record_key, attribute HAVING min(canonical) <> max(canonical)
) AS g
WHERE periods < assertions AND counterparties < assertions OR EXISTS (
    SELECT FROM assertion AS a
    WHERE a.tenant_id = $1 AND a.company_key = g.company_key AND a.record_key = g.record_key AND a.attribute = g.attribute
      AND a.ended_at IS NULL
      AND ($3::text IS NULL OR period IS NULL OR period = $3)
      AND ($4::text IS NULL OR kind = $4)
    GROUP BY CASE WHEN periods = assertions THEN period END, CASE WHEN counterparties = assertions THEN counterparty_key END
    HAVING min(canonical) <> max(canonical)
)
ORDER BY company_key, record_key, attribute LIMIT $8

-- name: assertions
-- The open and superseded assertions of the groups ($2, $3, $4) with what the ladder weighs of their memories, as known at $7.
-- Of each group at most $8: the newest of each value, then the second newest of each, and so on.
SELECT a.memory_id, a.attribute, a.company_key, a.record_key, a.raw, a.canonical, a.value_type, a.number, a.currency, a.unit,
       a.counterparty_key, a.period, a.valid_from, a.valid_to, a.recorded_at, a.ended_at, a.ended_reason,
       m.kind, m.memory_type, m.is_derived, m.company, m.record, m.source_ref, m.session,
       m.company_key AS memory_company_key, m.record_key AS memory_record_key,
       CASE WHEN a.decided_at IS NULL OR a.decided_at > $7 THEN m.importance ELSE greatest(m.importance, a.decided_importance) END AS importance
FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS g (company_key, record_key, attribute, place)
CROSS JOIN LATERAL (
    SELECT *, row_number() OVER (PARTITION BY ended_at IS NULL, canonical ORDER BY recorded_at DESC, memory_id) AS age
    FROM (
        SELECT * FROM assertion
        WHERE tenant_id = $1 AND company_key = g.company_key AND record_key = g.record_key AND attribute = g.attribute
          AND ended_at IS NULL
        UNION ALL
        SELECT * FROM assertion
        WHERE tenant_id = $1 AND company_key = g.company_key AND record_key = g.record_key AND attribute = g.attribute
          AND ended_reason = 'superseded'
    ) AS known
    WHERE ($5::text IS NULL OR period IS NULL OR period = $5)
      AND ($6::text IS NULL OR kind = $6)
      AND ($7::timestamptz IS NULL OR recorded_at <= $7)
    ORDER BY age, recorded_at DESC, memory_id LIMIT $8
) AS a
CROSS JOIN LATERAL (
    SELECT kind, memory_type, importance, cardinality(derived_from) > 0 AS is_derived, company, record, source_ref, session,
           company_key, record_key
    FROM memory
    WHERE tenant_id = $1 AND memory_id = a.memory_id AND ($7::timestamptz IS NULL OR recorded_at <= $7)
    UNION ALL
    (
        SELECT kind, memory_type, importance, cardinality(derived_from) > 0, company, record, source_ref, session, company_key, record_key
        FROM memory_revision
        WHERE tenant_id = $1 AND memory_id = a.memory_id AND recorded_at <= $7
          AND NOT EXISTS (SELECT FROM memory WHERE tenant_id = $1 AND memory_id = a.memory_id AND recorded_at <= $7)
        ORDER BY revision DESC LIMIT 1
    )
    LIMIT 1
) AS m
ORDER BY g.place, a.recorded_at, a.memory_id

-- name: small_assertions
-- The same of groups that are known to be small: all of their assertions.
SELECT a.memory_id, a.attribute, a.company_key, a.record_key, a.raw, a.canonical, a.value_type, a.number, a.currency, a.unit,
       a.counterparty_key, a.period, a.valid_from, a.valid_to, a.recorded_at, a.ended_at, a.ended_reason,
       m.kind, m.memory_type, m.is_derived, m.company, m.record, m.source_ref, m.session,
       m.company_key AS memory_company_key, m.record_key AS memory_record_key,
       CASE WHEN a.decided_at IS NULL OR a.decided_at > $7 THEN m.importance ELSE greatest(m.importance, a.decided_importance) END AS importance
FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS g (company_key, record_key, attribute, place)
CROSS JOIN LATERAL (
    SELECT * FROM assertion
    WHERE tenant_id = $1 AND company_key = g.company_key AND record_key = g.record_key AND attribute = g.attribute
      AND ended_at IS NULL
    UNION ALL
    SELECT * FROM assertion
    WHERE tenant_id = $1 AND company_key = g.company_key AND record_key = g.record_key AND attribute = g.attribute
      AND ended_reason = 'superseded'
) AS a
CROSS JOIN LATERAL (
    SELECT kind, memory_type, importance, cardinality(derived_from) > 0 AS is_derived, company, record, source_ref, session,
           company_key, record_key
    FROM memory
    WHERE tenant_id = $1 AND memory_id = a.memory_id AND ($7::timestamptz IS NULL OR recorded_at <= $7)
    UNION ALL
    (
        SELECT kind, memory_type, importance, cardinality(derived_from) > 0, company, record, source_ref, session, company_key, record_key
        FROM memory_revision
        WHERE tenant_id = $1 AND memory_id = a.memory_id AND recorded_at <= $7
          AND NOT EXISTS (SELECT FROM memory WHERE tenant_id = $1 AND memory_id = a.memory_id AND recorded_at <= $7)
        ORDER BY revision DESC LIMIT 1
    )
    LIMIT 1
) AS m
WHERE ($5::text IS NULL OR a.period IS NULL OR a.period = $5)
  AND ($6::text IS NULL OR a.kind = $6)
  AND ($7::timestamptz IS NULL OR a.recorded_at <= $7)
ORDER BY g.place, a.recorded_at, a.memory_id

-- name: repeated_contents
-- The next contents, after $5, that more than one open memory has.
SELECT content_hash
FROM memory
WHERE tenant_id = $1 AND ended_at IS NULL AND content_hash > $5::bytea
  AND ($2::text IS NULL OR company_key = $2)
  AND ($3::text IS NULL OR period IS NULL OR period = $3)
  AND ($4::text IS NULL OR kind = $4)
GROUP BY content_hash HAVING count(*) > 1
ORDER BY content_hash LIMIT $6

-- name: duplicates
-- The open memories of each of these contents, known at $6; the first $7 of them by id.
SELECT content_hash, count(*) AS memories, (array_agg(memory_id ORDER BY memory_id))[:$7::int] AS memory_ids,
       (array_agg(company ORDER BY memory_id))[1] AS company, (array_agg(record ORDER BY memory_id))[1] AS record,
       (array_agg(source_ref ORDER BY memory_id))[1] AS source_ref
FROM memory
WHERE tenant_id = $1 AND ended_at IS NULL AND content_hash = ANY($5::bytea[]) AND recorded_at <= $6
  AND ($2::text IS NULL OR company_key = $2)
  AND ($3::text IS NULL OR period IS NULL OR period = $3)
  AND ($4::text IS NULL OR kind = $4)
GROUP BY content_hash HAVING count(*) > 1
ORDER BY content_hash

-- name: missing_records
-- The next records, after ($3, $4), that open memories refer to and that no memory of the same company is a record of.
SELECT company_key, target_key
FROM (
    SELECT DISTINCT company_key, target_key
    FROM reference
    WHERE tenant_id = $1 AND ($2::text IS NULL OR company_key = $2) AND (company_key, target_key) > ($3::text, $4::text)
) AS r
WHERE NOT EXISTS (
    SELECT FROM memory AS m
    WHERE m.tenant_id = $1 AND m.company_key = r.company_key AND m.record_key = r.target_key AND m.state NOT IN ('incorrect', 'erased')
      AND (m.company_key, m.record_key) > ($3, $4) -- follows; said so that a merge starts where the page does
) AND NOT EXISTS ( -- a memory with a record id of its own may be referred to by its source too
    SELECT FROM reference AS w JOIN memory AS m ON m.tenant_id = w.tenant_id AND m.source_ref IN (w.target, w.target_key)
    WHERE w.tenant_id = $1 AND w.company_key = r.company_key AND w.target_key = r.target_key
      AND m.company_key = r.company_key AND m.state NOT IN ('incorrect', 'erased')
)
ORDER BY company_key, target_key LIMIT $5

-- name: referrers
-- Who refers to these records, known at $6; the first $7 of each by id, with the number of all.
SELECT * FROM (
    SELECT r.company_key, r.target_key, r.target, r.memory_id, m.company, m.source_ref,
           row_number() OVER (PARTITION BY r.company_key, r.target_key ORDER BY r.memory_id) AS place,
           count(*) OVER (PARTITION BY r.company_key, r.target_key) AS referrers
    FROM unnest($2::text[], $3::text[]) AS wanted (company_key, target_key)
    JOIN reference AS r ON r.tenant_id = $1 AND r.company_key = wanted.company_key AND r.target_key = wanted.target_key
    JOIN memory AS m ON m.tenant_id = r.tenant_id AND m.memory_id = r.memory_id
    WHERE m.recorded_at <= $6
      AND ($4::text IS NULL OR m.period IS NULL OR m.period = $4)
      AND ($5::text IS NULL OR m.kind = $5)
) AS found
WHERE place <= $7
ORDER BY company_key, target_key, place
