-- Which memories may be paired, their vectors, their neighbours, and what is told of a pair.
-- `:filters`: $1 tenant, $2 company, $3 period (or none), $4 kind, $5 the instant at which an expiry counts; `m` is memory.

-- name: filters
-- What a memory must be to be paired.
m.tenant_id = $1 AND m.state = 'active'
AND ($2::text IS NULL OR m.company_key = $2)
AND ($3::text IS NULL OR m.period IS NULL OR m.period = $3)
AND ($4::text IS NULL OR m.kind = $4)
AND (m.expires_at IS NULL OR m.expires_at > $5::timestamptz)

-- name: total
-- How many memories are in scope.
SELECT count(*) FROM memory AS m WHERE :filters

-- name: companies
-- The next companies after $6 (with it, if $8), how many memories with vectors each has in scope, and how many bytes their contents have.
SELECT company_key, count(*) AS memories, sum(octet_length(content)) AS content_bytes
FROM memory AS m
WHERE :filters AND NOT m.vector_pending AND ($6::text IS NULL OR m.company_key > $6 OR $8::boolean AND m.company_key = $6)
GROUP BY company_key ORDER BY company_key LIMIT $7

-- name: ids_of_companies
-- The memories with vectors of these companies.
SELECT company_key, memory_id FROM memory AS m
WHERE :filters AND NOT m.vector_pending AND m.company_key = ANY ($6::text[])
ORDER BY company_key, memory_id

-- name: ids_of_company
-- The next memories with vectors of a company, after $7.
SELECT memory_id FROM memory AS m
WHERE :filters AND NOT m.vector_pending AND m.company_key = $6::text AND m.memory_id > $7::uuid
ORDER BY memory_id LIMIT $8

-- name: members
-- What a pair depends on, of these memories.
SELECT m.memory_id, m.content, m.period, m.valid_from, m.valid_to, coalesce((
    SELECT md5(string_agg(md5(a.record_key) || md5(a.attribute) || md5(a.canonical), '' ORDER BY a.record_key, a.attribute, a.canonical))
    FROM assertion AS a WHERE a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.ended_at IS NULL
), '') AS claims
FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) ORDER BY m.memory_id

-- name: vectors
-- The vectors of these memories, those not in the graph yet included.
SELECT memory_id, embedding FROM (
    SELECT memory_id, passage_no, embedding FROM memory_vector_g:generation WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
    UNION ALL
    SELECT memory_id, passage_no, embedding FROM memory_vector_g:generation_staging WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
) AS v ORDER BY memory_id, passage_no

-- name: neighbours
-- Of each of the memories $6, the $8 nearest passages of others of its company that do not copy it, at most $7 away: by the graph, and those not in it yet.
WITH base AS MATERIALIZED (
    SELECT m.memory_id, m.company_key, m.period, m.content_hash, v.embedding
    FROM memory AS m
    JOIN (
        SELECT memory_id, embedding FROM memory_vector_g:generation WHERE tenant_id = $1 AND memory_id = ANY ($6::uuid[])
        UNION ALL
        SELECT memory_id, embedding FROM memory_vector_g:generation_staging WHERE tenant_id = $1 AND memory_id = ANY ($6::uuid[])
    ) AS v USING (memory_id)
    WHERE m.tenant_id = $1 AND m.memory_id = ANY ($6::uuid[])
)
SELECT base.memory_id, near.memory_id AS neighbour_id, min(near.distance) AS distance
FROM base CROSS JOIN LATERAL (
    (
        SELECT v.memory_id, v.embedding <=> base.embedding AS distance
        FROM memory_vector_g:generation AS v JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
        WHERE v.tenant_id = $1 AND :filters AND m.company_key = base.company_key AND m.memory_id <> base.memory_id
          AND m.content_hash <> base.content_hash AND (m.period IS NULL OR base.period IS NULL OR m.period = base.period)
        ORDER BY v.embedding <=> base.embedding LIMIT $8
    )
    UNION ALL
    (
        SELECT v.memory_id, v.embedding <=> base.embedding AS distance
        FROM memory_vector_g:generation_staging AS v JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
        WHERE v.tenant_id = $1 AND :filters AND m.company_key = base.company_key AND m.memory_id <> base.memory_id
          AND m.content_hash <> base.content_hash AND (m.period IS NULL OR base.period IS NULL OR m.period = base.period)
        ORDER BY distance LIMIT $8
    )
) AS near
WHERE near.distance <= $7::float8
GROUP BY base.memory_id, near.memory_id

-- name: sides
-- What is told of these memories, where they are still in scope.
SELECT memory_id, kind, memory_type, cardinality(derived_from) > 0 AS is_derived, importance, content, company, speaker, period, source_ref,
       session, valid_from, recorded_at
FROM memory AS m WHERE :filters AND m.memory_id = ANY ($6::uuid[])

-- name: verdicts
-- What a judge model with a wording $5 has said of these statements, each pair with the smaller hash first.
SELECT first_hash, second_hash, verdict, confidence, reason
FROM verdict
WHERE tenant_id = $1 AND (first_hash, second_hash) IN (SELECT * FROM unnest($2::bytea[], $3::bytea[])) AND model = $4 AND prompt_version = $5
