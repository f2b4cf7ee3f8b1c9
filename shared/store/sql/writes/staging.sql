-- Vectors that wait for the graph: searched whole until a job has moved them over.

-- name: insert
-- Insert the vectors of passages without an index on them.
INSERT INTO memory_vector_g:generation_staging (tenant_id, memory_id, passage_no, char_start, char_end, embedding)
SELECT $1, n.memory_id, n.passage_no, n.char_start, n.char_end, n.embedding
FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::halfvec[]) AS n (memory_id, passage_no, char_start, char_end, embedding);

-- name: move
-- Move the next vectors after the memory $2 into the indexed table, and return the last memory.
WITH picked AS (
    SELECT memory_id, passage_no FROM memory_vector_g:generation_staging
    WHERE tenant_id = $1 AND memory_id > $2 ORDER BY memory_id, passage_no LIMIT $3
), taken AS (
    DELETE FROM memory_vector_g:generation_staging AS s USING picked
    WHERE s.tenant_id = $1 AND s.memory_id = picked.memory_id AND s.passage_no = picked.passage_no
    RETURNING s.tenant_id, s.memory_id, s.passage_no, s.char_start, s.char_end, s.embedding
), moved AS (
    INSERT INTO memory_vector_g:generation (tenant_id, memory_id, passage_no, char_start, char_end, embedding)
    SELECT tenant_id, memory_id, passage_no, char_start, char_end, embedding FROM taken
    RETURNING memory_id
)
SELECT (SELECT max(memory_id::text)::uuid FROM picked) AS last, (SELECT count(*) FROM moved) AS moved;

-- name: count
-- Count the vectors that wait, up to a limit.
SELECT count(*) FROM (SELECT FROM memory_vector_g:generation_staging WHERE tenant_id = $1 LIMIT $2) AS waiting;
