-- What records call for and do not have, and what memories depend on.

-- name: calling
-- The next records, after ($5, $6), of which an open memory of the kinds $7 says one of ($8, $9).
SELECT DISTINCT company_key, record_key
FROM assertion
WHERE tenant_id = $1 AND ended_at IS NULL
  AND ($2::text IS NULL OR company_key = $2)
  AND ($3::text IS NULL OR period IS NULL OR period = $3)
  AND ($4::text IS NULL OR kind = $4)
  AND (company_key, record_key) > ($5::text, $6::text)
  AND canonical IN ('paid', 'true', 'payroll_register', 'payroll register') -- those of the index assertion_calling
  AND kind = ANY($7::text[]) AND attribute = ANY($8::text[])
  AND (attribute, canonical) IN (SELECT * FROM unnest($8::text[], $9::text[]))
ORDER BY company_key, record_key LIMIT $10

-- name: calling_of_period
-- The records of each of these companies and periods ($5, $6) of which an open memory of the kinds $7 says one of ($8, $9).
SELECT DISTINCT a.company_key, a.record_key
FROM unnest($5::text[], $6::text[]) AS w (company_key, period)
JOIN memory AS m ON m.tenant_id = $1 AND m.company_key = w.company_key AND m.period = w.period AND m.ended_at IS NULL AND m.record_key IS NOT NULL
JOIN assertion AS a ON a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_at IS NULL
WHERE ($2::text IS NULL OR a.company_key = $2)
  AND ($3::text IS NULL OR a.period IS NULL OR a.period = $3)
  AND ($4::text IS NULL OR a.kind = $4)
  AND a.kind = ANY($7::text[])
  AND (a.attribute, a.canonical) IN (SELECT * FROM unnest($8::text[], $9::text[]))

-- name: unanswered
-- Who calls for a counterpart of the records ($5, $6), known at $7, where no memory answers; the first $14 of each record by id.
-- Callers: open memories of the kinds $8 that say one of ($9, $10). Answers: of a kind in $11 or a document type in $12; $13: same period will do.
WITH callers AS (
    SELECT DISTINCT r.place, r.company_key, r.record_key, a.memory_id, m.period, m.company, m.record, m.source_ref
    FROM unnest($5::text[], $6::text[]) WITH ORDINALITY AS r (company_key, record_key, place)
    JOIN assertion AS a ON a.tenant_id = $1 AND a.company_key = r.company_key AND a.record_key = r.record_key
        AND a.attribute = ANY($9::text[]) AND a.ended_at IS NULL
    JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = a.memory_id
    WHERE a.recorded_at <= $7 AND a.kind = ANY($8::text[])
      AND (a.attribute, a.canonical) IN (SELECT * FROM unnest($9::text[], $10::text[]))
      AND ($2::text IS NULL OR a.company_key = $2)
      AND ($3::text IS NULL OR a.period IS NULL OR a.period = $3)
      AND ($4::text IS NULL OR a.kind = $4)
), answering AS (
    SELECT c.company_key, c.record_key
    FROM callers AS c
    CROSS JOIN LATERAL (
        SELECT memory_id FROM memory WHERE tenant_id = $1 AND company_key = c.company_key AND record_key = c.record_key
        UNION ALL
        SELECT memory_id FROM reference WHERE tenant_id = $1 AND company_key = c.company_key AND target_key = c.record_key
        UNION ALL
        SELECT m.memory_id
        FROM reference AS r JOIN memory AS m ON m.tenant_id = $1 AND m.company_key = r.company_key AND m.record_key = r.target_key
        WHERE r.tenant_id = $1 AND r.memory_id = c.memory_id
        UNION ALL
        SELECT memory_id FROM memory WHERE $13::boolean AND tenant_id = $1 AND company_key = c.company_key AND period = c.period
    ) AS near
    JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = near.memory_id
    WHERE m.state NOT IN ('incorrect', 'erased')
      AND (m.kind = ANY($11::text[]) OR translate(lower(m.metadata->>'document_type'), ' -', '__') = ANY($12::text[]))
)
SELECT * FROM (
    SELECT c.*, row_number() OVER (PARTITION BY c.place ORDER BY c.memory_id) AS number, count(*) OVER (PARTITION BY c.place) AS callers
    FROM callers AS c
    WHERE NOT EXISTS (SELECT FROM answering AS a WHERE a.company_key = c.company_key AND a.record_key = c.record_key)
) AS found
WHERE number <= $14
ORDER BY place, number

-- name: dependents
-- The next memories that depend on a record, after ($3, $4, $5).
SELECT company_key, target_key, memory_id
FROM reference
WHERE tenant_id = $1 AND is_dependency AND ($2::text IS NULL OR company_key = $2)
  AND (company_key, target_key, memory_id) > ($3::text, $4::text, $5::uuid)
ORDER BY company_key, target_key, memory_id LIMIT $6

-- name: dependents_on
-- The memories that depend on one of the records ($3, $4).
SELECT d.company_key, d.target_key, d.memory_id
FROM unnest($3::text[], $4::text[]) AS r (company_key, target_key)
JOIN reference AS d ON d.tenant_id = $1 AND d.is_dependency AND d.company_key = r.company_key AND d.target_key = r.target_key
WHERE $2::text IS NULL OR d.company_key = $2
ORDER BY d.company_key, d.target_key, d.memory_id

-- name: rested_on
-- What the records ($3, $4) of the dependents ($2) said and say, known at $5, on attributes that changed after the dependent was recorded;
-- of each dependent at most $6 assertions, the newest. With what is told of the dependents themselves, in their order.
SELECT d.place, m.memory_id AS dependent_id, m.source_ref AS dependent_source_ref, m.record AS dependent_record,
       m.company AS dependent_company, m.recorded_at AS dependent_recorded_at, a.*,
       s.kind, s.memory_type, cardinality(s.derived_from) > 0 AS is_derived, s.company, s.record, s.source_ref, s.session, s.importance,
       s.company_key AS memory_company_key, s.record_key AS memory_record_key
FROM unnest($2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY AS d (memory_id, company_key, target_key, place)
JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = d.memory_id AND m.ended_at IS NULL AND m.recorded_at <= $5
CROSS JOIN LATERAL (
    SELECT * FROM (
        SELECT memory_id, attribute, company_key, record_key, raw, canonical, value_type, number, currency, unit, counterparty_key, period,
               valid_from, valid_to, recorded_at, ended_at, ended_reason
        FROM assertion
        WHERE tenant_id = $1 AND company_key = d.company_key AND record_key = d.target_key AND ended_at IS NULL
        UNION ALL
        SELECT memory_id, attribute, company_key, record_key, raw, canonical, value_type, number, currency, unit, counterparty_key, period,
               valid_from, valid_to, recorded_at, ended_at, ended_reason
        FROM assertion
        WHERE tenant_id = $1 AND company_key = d.company_key AND record_key = d.target_key AND ended_at IS NOT NULL
    ) AS said
    WHERE recorded_at <= $5 AND attribute IN (
        SELECT attribute FROM assertion
        WHERE tenant_id = $1 AND company_key = d.company_key AND record_key = d.target_key AND ended_at > m.recorded_at
        UNION ALL
        SELECT attribute FROM assertion
        WHERE tenant_id = $1 AND company_key = d.company_key AND record_key = d.target_key AND ended_at IS NULL AND recorded_at > m.recorded_at
    )
    ORDER BY recorded_at DESC, memory_id LIMIT $6
) AS a
JOIN memory AS s ON s.tenant_id = $1 AND s.memory_id = a.memory_id
WHERE ($7::text IS NULL OR m.period IS NULL OR m.period = $7) AND ($8::text IS NULL OR m.kind = $8)
ORDER BY d.place, a.attribute, a.recorded_at, a.memory_id
