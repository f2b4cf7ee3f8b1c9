-- What the statistics of terms are counted anew from, and what they say; both read in one snapshot, in pieces.

-- name: count
-- Count the terms of the next memories after $2.
WITH piece AS (
    SELECT memory_id, terms, coalesce(length, cardinality(terms)) AS length
    FROM memory_lexical WHERE tenant_id = $1 AND memory_id > $2 ORDER BY memory_id LIMIT $3
), counted AS (
    SELECT term, count(*) AS memories FROM piece, unnest(piece.terms) AS t (term) GROUP BY term
)
SELECT (SELECT max(memory_id::text)::uuid FROM piece) AS last, (SELECT count(*) FROM piece) AS memories,
       (SELECT coalesce(sum(length), 0)::bigint FROM piece) AS length,
       (SELECT coalesce(array_agg(term), '{}') FROM counted) AS terms, (SELECT coalesce(array_agg(memories), '{}') FROM counted) AS frequencies;

-- name: known
-- Read the next document frequencies after the term $2.
SELECT max(term_id) AS last, coalesce(array_agg(term_id), '{}') AS terms, coalesce(array_agg(memories), '{}') AS frequencies
FROM (SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND term_id > $2 ORDER BY term_id LIMIT $3) AS piece;

-- name: totals
-- Read how many memories there are and how many terms they hold, as far as it is known.
SELECT memories, terms FROM tenant_stat WHERE tenant_id = $1;
