-- Vectors of one embedding generation: live ones in an index, those of earlier revisions without.

-- name: insert
-- Insert the vectors of passages.
INSERT INTO memory_vector_g:generation (tenant_id, memory_id, passage_no, char_start, char_end, embedding)
SELECT $1, n.memory_id, n.passage_no, n.char_start, n.char_end, n.embedding
FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::halfvec[]) AS n (memory_id, passage_no, char_start, char_end, embedding);

-- name: insert_history
-- Insert the vectors of passages of revisions that are no longer believed.
INSERT INTO memory_vector_g:generation_history (tenant_id, memory_id, revision, passage_no, char_start, char_end, embedding)
SELECT $1, n.memory_id, n.revision, n.passage_no, n.char_start, n.char_end, n.embedding
FROM unnest($2::uuid[], $3::int[], $4::int[], $5::int[], $6::int[], $7::halfvec[])
    AS n (memory_id, revision, passage_no, char_start, char_end, embedding);

-- name: copy_to_history
-- Copy the vectors of a memory into the history of one of its revisions.
INSERT INTO memory_vector_g:generation_history (tenant_id, memory_id, revision, passage_no, char_start, char_end, embedding)
SELECT tenant_id, memory_id, $3, passage_no, char_start, char_end, embedding
FROM (
    SELECT tenant_id, memory_id, passage_no, char_start, char_end, embedding FROM memory_vector_g:generation
    WHERE tenant_id = $1 AND memory_id = $2
    UNION ALL
    SELECT tenant_id, memory_id, passage_no, char_start, char_end, embedding FROM memory_vector_g:generation_staging
    WHERE tenant_id = $1 AND memory_id = $2
) AS live
-- Those of a memory that had ended and was restored are there already.
ON CONFLICT DO NOTHING;

-- name: delete_staged
-- Delete the vectors of a memory that wait for the index.
DELETE FROM memory_vector_g:generation_staging WHERE tenant_id = $1 AND memory_id = $2;

-- name: delete
-- Delete the live vectors of a memory.
DELETE FROM memory_vector_g:generation WHERE tenant_id = $1 AND memory_id = $2;

-- name: generations
-- List the numbers of all embedding generations.
SELECT generation FROM embedding_generation ORDER BY generation;
