-- The candidates of a recall, and what is told of the chosen ones. `:filters` and the like: scope.sql.
-- Both arms read the same scope in the same snapshot. An arm whose parameter is NULL is gone before the plan is made.

-- name: indexed
-- Candidates of a large scope: nearest passages by the graph, memories with any of the terms $19 by the inverted index.
WITH nearest AS (
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> $16::halfvec AS distance, m.company_key, :explicit_record
    FROM memory_vector_g:generation AS v
    JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
    WHERE $16::halfvec IS NOT NULL AND v.tenant_id = $1 AND :filters AND :current
    ORDER BY v.embedding <=> $16 LIMIT $18
), dense AS (
    SELECT DISTINCT ON (memory_id) * FROM nearest ORDER BY memory_id, distance, passage_no
), lexical AS (
    SELECT l.memory_id, l.distance, m.company_key, :explicit_record
    FROM (
        SELECT memory_id, weights <#> $17::sparsevec AS distance
        FROM memory_lexical
        WHERE $17::sparsevec IS NOT NULL AND tenant_id = $1 AND terms && $19::int[]
        ORDER BY distance, memory_id OFFSET 0 -- ranked before it is joined: the filters then read only as many memories as are wanted
    ) AS l
    JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = l.memory_id
    WHERE :filters AND :current
    ORDER BY l.distance, l.memory_id LIMIT $18
)
SELECT memory_id, 0 AS revision, dense.distance AS dense_distance, lexical.distance AS lexical_distance, passage_no, char_start, char_end,
       coalesce(dense.company_key, lexical.company_key) AS company_key, coalesce(dense.record_key, lexical.record_key) AS record_key,
       (SELECT count(*) FROM nearest) AS passages
FROM dense FULL JOIN lexical USING (memory_id)

-- name: exact
-- Candidates of a scope of at most $19 memories, each one scored by its passages and by the terms $20. Always a first row with the scope's size; alone if it has more.
WITH scope AS MATERIALIZED (
    SELECT m.memory_id, m.company_key, :explicit_record FROM :source WHERE :filters AND :current LIMIT $19::bigint + 1
), size AS MATERIALIZED (
    SELECT count(*) AS memories FROM scope
), passages AS MATERIALIZED ( -- materialized: the graph must not be asked, it may leave some out
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> $16::halfvec AS distance
    FROM scope JOIN memory_vector_g:generation AS v ON v.tenant_id = $1 AND v.memory_id = scope.memory_id
    WHERE $16::halfvec IS NOT NULL AND (SELECT memories FROM size) <= $19
), dense AS (
    SELECT DISTINCT ON (memory_id) *
    FROM (SELECT * FROM passages ORDER BY distance, memory_id, passage_no LIMIT $18) AS nearest
    ORDER BY memory_id, distance, passage_no
), matches AS MATERIALIZED (
    SELECT l.memory_id, l.weights <#> $17::sparsevec AS distance
    FROM scope JOIN memory_lexical AS l ON l.tenant_id = $1 AND l.memory_id = scope.memory_id
    WHERE $17::sparsevec IS NOT NULL AND l.terms && $20::int[] AND (SELECT memories FROM size) <= $19
), lexical AS (
    SELECT * FROM matches ORDER BY distance, memory_id LIMIT $18
)
SELECT size.memories, candidate.*
FROM size LEFT JOIN (
    SELECT memory_id, 0 AS revision, dense.distance AS dense_distance, lexical.distance AS lexical_distance,
           passage_no, char_start, char_end, scope.company_key, scope.record_key
    FROM dense FULL JOIN lexical USING (memory_id) JOIN scope USING (memory_id)
) AS candidate ON true

-- name: believed
-- Candidates of a scope as it was believed at $16, each revision scored: those still open from the live tables, ended ones from history.
WITH scope AS MATERIALIZED (
    SELECT m.memory_id, m.revision, m.company_key, :explicit_record, m.ended_at IS NULL AS live
    FROM memory AS m WHERE :filters AND :believed
    UNION ALL
    SELECT m.memory_id, m.revision, m.company_key, :explicit_record, false
    FROM memory_revision AS m WHERE :filters AND :believed AND :last_believed
), passages AS MATERIALIZED (
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> $17::halfvec AS distance
    FROM scope JOIN memory_vector_g:generation AS v ON v.tenant_id = $1 AND v.memory_id = scope.memory_id
    WHERE $17::halfvec IS NOT NULL AND scope.live
    UNION ALL
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> $17::halfvec
    FROM scope
    JOIN memory_vector_g:generation_history AS v ON v.tenant_id = $1 AND v.memory_id = scope.memory_id AND v.revision = scope.revision
    WHERE $17::halfvec IS NOT NULL AND NOT scope.live
), dense AS (
    SELECT DISTINCT ON (memory_id) *
    FROM (SELECT * FROM passages ORDER BY distance, memory_id, passage_no LIMIT $19) AS nearest
    ORDER BY memory_id, distance, passage_no
), matches AS MATERIALIZED (
    SELECT l.memory_id, l.weights <#> $18::sparsevec AS distance
    FROM scope JOIN memory_lexical AS l ON l.tenant_id = $1 AND l.memory_id = scope.memory_id
    WHERE $18::sparsevec IS NOT NULL AND scope.live
    UNION ALL
    SELECT l.memory_id, l.weights <#> $18::sparsevec
    FROM scope JOIN memory_lexical_history AS l ON l.tenant_id = $1 AND l.memory_id = scope.memory_id AND l.revision = scope.revision
    WHERE $18::sparsevec IS NOT NULL AND NOT scope.live
), lexical AS (
    SELECT * FROM matches WHERE distance < 0 ORDER BY distance, memory_id LIMIT $19
)
SELECT memory_id, scope.revision, dense.distance AS dense_distance, lexical.distance AS lexical_distance,
       passage_no, char_start, char_end, scope.company_key, scope.record_key
FROM dense FULL JOIN lexical USING (memory_id) JOIN scope USING (memory_id)

-- name: hits
-- The chosen memories, each with the attributes of its record on which open assertions differ, found among the record's first $3.
SELECT :columns, ARRAY(
    SELECT a.attribute
    FROM (
        SELECT attribute, canonical FROM assertion
        WHERE tenant_id = $1 AND company_key = m.company_key AND record_key = m.record_key AND ended_at IS NULL
        ORDER BY attribute, canonical LIMIT $3
    ) AS a
    GROUP BY a.attribute HAVING min(a.canonical) <> max(a.canonical)
) AS contested
FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = ANY($2::uuid[])

-- name: hits_believed
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
