-- The candidates of a recall. `:filters` and the like: scope.sql; `:vector` and the like are parameters
-- that recall.py numbers; `:pool` and the like are fragments below. `:vectors` is where live vectors are: in the graph's table and, while some
-- wait for the graph, in that of those too.
-- Both arms read the same scope in the same snapshot. An arm whose parameter is NULL is gone before the plan is made.

-- name: open
-- The best of a large tenant without filters: nearest passages by the graph, memories with any of the terms :term_ids by the inverted index. Few
-- memories are not in scope (those that expired), so only the best are looked up.
WITH nearest AS MATERIALIZED (
    SELECT memory_id, passage_no, char_start, char_end, embedding <=> :vector::halfvec AS distance
    FROM :vectors AS v
    WHERE :vector::halfvec IS NOT NULL AND tenant_id = $1
    ORDER BY embedding <=> :vector LIMIT :most
), lexical AS (
    SELECT memory_id, distance
    FROM (
        SELECT memory_id, weights <#> :words::sparsevec AS distance
        FROM memory_lexical
        WHERE :words::sparsevec IS NOT NULL AND tenant_id = $1 AND (:with_words) LIMIT :matches
    ) AS matching
    ORDER BY distance, memory_id LIMIT :most
), :size_and_arms, :best_of_arms, :pool :told

-- name: indexed
-- The best of a large scope: each arm brings memories that are in it.
WITH nearest AS MATERIALIZED (
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> :vector::halfvec AS distance
    FROM :vectors AS v
    JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
    WHERE :vector::halfvec IS NOT NULL AND v.tenant_id = $1 AND :filters AND :current
    ORDER BY v.embedding <=> :vector LIMIT :most
), lexical AS (
    SELECT l.memory_id, l.distance
    FROM (
        SELECT memory_id, distance
        FROM (
            SELECT memory_id, weights <#> :words::sparsevec AS distance
            FROM memory_lexical
            WHERE :words::sparsevec IS NOT NULL AND tenant_id = $1 AND (:with_words) LIMIT :matches
        ) AS matching
        ORDER BY distance, memory_id OFFSET 0 -- ranked before it is joined: the filters then read only as many memories as are wanted
    ) AS l
    JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = l.memory_id
    WHERE :filters AND :current
    ORDER BY l.distance, l.memory_id LIMIT :most
), :size_and_arms, :best_of_arms, :pool :told

-- name: with_words
-- What has any of the terms, or both of a pair; :pair_ids holds one pair after another. Constants when the plan is made: those without terms are gone.
terms && :term_ids::int[]
OR terms @> nullif((:pair_ids::int[])[1:2], '{}') OR terms @> nullif((:pair_ids::int[])[3:4], '{}')
OR terms @> nullif((:pair_ids::int[])[5:6], '{}') OR terms @> nullif((:pair_ids::int[])[7:8], '{}')
OR terms @> nullif((:pair_ids::int[])[9:10], '{}') OR terms @> nullif((:pair_ids::int[])[11:12], '{}')
OR terms @> nullif((:pair_ids::int[])[13:14], '{}') OR terms @> nullif((:pair_ids::int[])[15:16], '{}')

-- name: size_and_arms
-- How many passages the graph gave, and each memory that an arm brought, by its best passage.
size AS (
    SELECT count(*) AS memories, :waiting AS is_waiting FROM nearest
), arms AS (
    SELECT memory_id, dense.distance AS dense_distance, lexical.distance AS lexical_distance, passage_no, char_start, char_end
    FROM (SELECT DISTINCT ON (memory_id) * FROM nearest ORDER BY memory_id, distance, passage_no) AS dense FULL JOIN lexical USING (memory_id)
)

-- name: exact
-- The best of a scope of at most :most memories, each one scored by its passages and its terms. Always a first row with the scope's size; alone if it has more.
WITH scope AS MATERIALIZED (
    SELECT m.memory_id FROM :source WHERE :filters AND :current LIMIT :most::bigint + 1
), size AS MATERIALIZED (
    SELECT count(*) AS memories, :waiting AS is_waiting FROM scope
), dense AS MATERIALIZED ( -- materialized: the graph must not be asked, it may leave some out
    SELECT memory_id, min(v.embedding <=> :vector::halfvec) AS distance
    FROM scope JOIN :vectors AS v USING (memory_id)
    WHERE :vector::halfvec IS NOT NULL AND v.tenant_id = $1 AND (SELECT memories FROM size) <= :most GROUP BY memory_id
), lexical AS MATERIALIZED (
    SELECT memory_id, l.weights <#> :words::sparsevec AS distance
    FROM scope JOIN memory_lexical AS l USING (memory_id)
    WHERE :words::sparsevec IS NOT NULL AND l.tenant_id = $1 AND l.terms && :term_ids::int[] AND (SELECT memories FROM size) <= :most
), arms AS (
    SELECT memory_id, dense.distance AS dense_distance, lexical.distance AS lexical_distance,
           NULL::int AS passage_no, NULL::int AS char_start, NULL::int AS char_end
    FROM dense FULL JOIN lexical USING (memory_id)
), :best_of_all, :pool :told

-- name: believed
-- The best of a scope as it was believed at $16, each revision scored: those still open from the live tables, ended ones from history.
WITH scope AS MATERIALIZED (
    SELECT m.memory_id, m.revision, m.company_key, :explicit_record, :turn, m.ended_at IS NULL AS live
    FROM memory AS m WHERE :filters AND :believed
    UNION ALL
    SELECT m.memory_id, m.revision, m.company_key, :explicit_record, :turn, false
    FROM memory_revision AS m WHERE :filters AND :believed AND :last_believed
), size AS (
    SELECT count(*) AS memories, :waiting AS is_waiting FROM scope
), passages AS MATERIALIZED (
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> :vector::halfvec AS distance
    FROM scope JOIN :vectors AS v ON v.tenant_id = $1 AND v.memory_id = scope.memory_id
    WHERE :vector::halfvec IS NOT NULL AND scope.live
    UNION ALL
    SELECT v.memory_id, v.passage_no, v.char_start, v.char_end, v.embedding <=> :vector::halfvec
    FROM scope
    JOIN memory_vector_g:generation_history AS v ON v.tenant_id = $1 AND v.memory_id = scope.memory_id AND v.revision = scope.revision
    WHERE :vector::halfvec IS NOT NULL AND NOT scope.live
), dense AS MATERIALIZED (
    SELECT DISTINCT ON (memory_id) * FROM passages ORDER BY memory_id, distance, passage_no
), lexical AS MATERIALIZED (
    SELECT l.memory_id, l.weights <#> :words::sparsevec AS distance
    FROM scope JOIN memory_lexical AS l ON l.tenant_id = $1 AND l.memory_id = scope.memory_id
    WHERE :words::sparsevec IS NOT NULL AND l.terms && :term_ids::int[] AND scope.live
    UNION ALL
    SELECT l.memory_id, l.weights <#> :words::sparsevec
    FROM scope JOIN memory_lexical_history AS l ON l.tenant_id = $1 AND l.memory_id = scope.memory_id AND l.revision = scope.revision
    WHERE :words::sparsevec IS NOT NULL AND l.terms && :term_ids::int[] AND NOT scope.live
), arms AS (
    SELECT memory_id, dense.distance AS dense_distance, lexical.distance AS lexical_distance, passage_no, char_start, char_end
    FROM dense FULL JOIN lexical USING (memory_id)
), :best_of_all, pool AS (
    SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY :slot ORDER BY score DESC, memory_id) AS copy
        FROM (SELECT arms.*, :score AS score FROM arms CROSS JOIN best ORDER BY score DESC, memory_id LIMIT :looked) AS first
        JOIN scope AS m USING (memory_id)
    ) AS numbered
    WHERE copy <= :copies::int ORDER BY score DESC, memory_id LIMIT :kept::int
)
SELECT size.memories, size.is_waiting, best.cosine, best.bm25, pool.memory_id, pool.revision, pool.company_key, pool.record_key, pool.speaker, pool.session, pool.moment,
       pool.restated, pool.asks, pool.chars, 1 - pool.dense_distance, nullif(-pool.lexical_distance, 0), pool.passage_no, pool.char_start, pool.char_end
FROM size CROSS JOIN best LEFT JOIN pool ON true
ORDER BY pool.score DESC, pool.memory_id

-- name: graph
-- Where live vectors are when none waits.
memory_vector_g:generation

-- name: graph_and_staging
-- Where live vectors are while some wait.
(SELECT * FROM memory_vector_g:generation UNION ALL SELECT * FROM memory_vector_g:generation_staging)

-- name: waiting
-- Whether vectors of the tenant wait for the graph.
EXISTS (SELECT FROM memory_vector_g:generation_staging WHERE tenant_id = $1)

-- name: slot
-- What memories have in common that say the same of one record; one that names no record is by itself.
company_key, record_key, restated, CASE WHEN record_key IS NULL THEN memory_id END

-- name: score
-- The weighted scores of both arms; where an arm did not bring a memory, the worst score that it brought: a bound, so that none is lost before it is looked up.
coalesce(:dense_share::float8 * greatest(0, 1 - coalesce(dense_distance, best.farthest) - :floor::float8) / nullif(greatest(best.cosine - :floor, 0), 0), 0)
+ coalesce(:lexical_share::float8 * -coalesce(lexical_distance, best.weakest) / nullif(greatest(best.bm25, :full_score::float8), 0), 0)

-- name: moment
-- When a turn was said, as the index of sessions has it. COALESCE would not do: under row-level security it counts as leaky, CASE does not.
CASE WHEN m.valid_from IS NULL THEN m.recorded_at ELSE m.valid_from END

-- name: turn
-- What ranking weighs of a memory's place. Only a turn of a session has one; it asks when it ends in a question mark.
m.speaker, CASE WHEN m.kind = 'turn' THEN m.session END AS session, (:moment) AS moment,
(:restated) AS restated,
CASE WHEN m.kind = 'turn' THEN right(m.content, 1) IN ('?', '？') END AS asks, CASE WHEN m.kind = 'turn' THEN char_length(m.content) END AS chars

-- name: restated
-- The same for memories of a record that say the same of it: the same of each attribute, as it was written, or the same text where they name none.
-- To compare values (8400 and 8400.00) would take 7 us a row, this takes less than one.
CASE WHEN m.record IS NOT NULL THEN hashtextextended(CASE WHEN m.metadata::text = '{}' THEN encode(m.content_hash, 'hex') ELSE m.metadata::text END, 0) END

-- name: best_of_all
-- The best score of each arm where every memory was scored.
best AS MATERIALIZED (
    SELECT 1 - min(dense_distance) AS cosine, -min(lexical_distance) AS bm25, NULL::float8 AS farthest, NULL::float8 AS weakest FROM arms
)

-- name: best_of_arms
-- The best score of each arm, and the worst that it brought: what it left out has no better one. Fewer words' matches than were asked for are all there are.
best AS MATERIALIZED (
    SELECT 1 - min(dense_distance) AS cosine, -min(lexical_distance) AS bm25, max(dense_distance) AS farthest,
           CASE WHEN count(lexical_distance) >= :most THEN max(lexical_distance) END AS weakest
    FROM arms
)

-- name: pool
-- The :kept best memories by both arms, at most :copies that say the same of one record; the :looked best ones are looked up.
pool AS (
    SELECT * FROM (
        SELECT *, row_number() OVER (PARTITION BY :slot ORDER BY score DESC, memory_id) AS copy
        FROM (
            SELECT first.*, m.company_key, :explicit_record, :turn
            FROM (SELECT arms.*, :score AS score FROM arms CROSS JOIN best ORDER BY score DESC, memory_id LIMIT :looked) AS first
            JOIN memory AS m USING (memory_id)
            WHERE :filters AND :current
        ) AS found
    ) AS numbered
    WHERE copy <= :copies::int ORDER BY score DESC, memory_id LIMIT :kept::int
)

-- name: told
-- What is told of the pool: both scores of each, whichever arm brought it.
SELECT size.memories, size.is_waiting, best.cosine, best.bm25, pool.memory_id, 0, pool.company_key, pool.record_key, pool.speaker, pool.session, pool.moment,
       pool.restated, pool.asks, pool.chars, 1 - coalesce(v.distance, pool.dense_distance), nullif(-coalesce(pool.lexical_distance, l.distance), 0),
       coalesce(pool.passage_no, v.passage_no), coalesce(pool.char_start, v.char_start), coalesce(pool.char_end, v.char_end)
FROM size CROSS JOIN best LEFT JOIN pool ON true
LEFT JOIN LATERAL (
    SELECT passage_no, char_start, char_end, embedding <=> :vector::halfvec AS distance
    FROM :vectors AS v
    WHERE :vector::halfvec IS NOT NULL AND tenant_id = $1 AND memory_id = pool.memory_id AND pool.passage_no IS NULL
    ORDER BY (embedding <=> :vector) + 0, passage_no LIMIT 1 -- + 0: never by the graph
) AS v ON true
LEFT JOIN LATERAL (
    SELECT weights <#> :words::sparsevec AS distance FROM memory_lexical
    WHERE :words::sparsevec IS NOT NULL AND tenant_id = $1 AND memory_id = pool.memory_id AND pool.lexical_distance IS NULL
    OFFSET 0 -- looked up only for those that lack it
) AS l ON true
ORDER BY pool.score DESC, pool.memory_id

-- name: look_wider
-- How many passages the graph looks at, for the rest of the transaction.
SET LOCAL hnsw.ef_search = 160

-- name: probes_follow
-- What is left of the transaction reads by key only.
SET LOCAL plan_cache_mode = force_generic_plan

-- name: turns
-- The turns before and after those of :turn_ids, in scope or not, with both scores of each but those of :known.
SELECT t.turn_id, n.in_scope, n.memory_id, 0, n.company_key, n.record_key, n.speaker, n.session, n.moment, n.restated, n.asks, n.chars,
       1 - v.distance, nullif(-l.distance, 0), v.passage_no, v.char_start, v.char_end
FROM unnest(:turn_ids::uuid[], :sessions::text[], :moments::timestamptz[]) AS t (turn_id, session, moment)
CROSS JOIN LATERAL (
    (SELECT m.memory_id, m.company_key, :explicit_record, :turn, (:filters) IS TRUE AS in_scope
     FROM memory AS m
     WHERE m.tenant_id = $1 AND m.session = t.session AND m.kind = 'turn' AND :current
       AND (:moment, m.memory_id) < (t.moment, t.turn_id)
     ORDER BY :moment DESC, m.memory_id DESC LIMIT 1)
    UNION ALL
    (SELECT m.memory_id, m.company_key, :explicit_record, :turn, (:filters) IS TRUE
     FROM memory AS m
     WHERE m.tenant_id = $1 AND m.session = t.session AND m.kind = 'turn' AND :current
       AND (:moment, m.memory_id) > (t.moment, t.turn_id)
     ORDER BY :moment, m.memory_id LIMIT 1)
) AS n
LEFT JOIN LATERAL (
    SELECT passage_no, char_start, char_end, embedding <=> :vector::halfvec AS distance
    FROM :vectors AS v
    WHERE :vector::halfvec IS NOT NULL AND tenant_id = $1 AND memory_id = n.memory_id AND n.memory_id <> ALL(:known::uuid[])
    ORDER BY (embedding <=> :vector) + 0, passage_no LIMIT 1
) AS v ON true
LEFT JOIN LATERAL (
    SELECT weights <#> :words::sparsevec AS distance FROM memory_lexical
    WHERE :words::sparsevec IS NOT NULL AND tenant_id = $1 AND memory_id = n.memory_id AND n.memory_id <> ALL(:known)
) AS l ON true
