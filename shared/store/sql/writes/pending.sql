-- Memories that wait for their vectors.

-- name: insert
-- Note memories that were accepted without vectors.
INSERT INTO pending_vector (tenant_id, memory_id, due_at) SELECT $1, n.memory_id, $3 FROM unnest($2::uuid[]) AS n (memory_id);

-- name: claim
-- Take the longest due ones on loan until the given instant, and count the attempt.
UPDATE pending_vector AS p SET due_at = $2, attempts = p.attempts + 1
FROM (
    SELECT tenant_id, memory_id FROM pending_vector WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
) AS due
WHERE p.tenant_id = due.tenant_id AND p.memory_id = due.memory_id
RETURNING p.tenant_id, p.memory_id, p.attempts;

-- name: postpone
-- Say why the vectors of memories could not be made, and when to try again.
UPDATE pending_vector AS p SET last_error = $2, due_at = n.due_at
FROM unnest($3::uuid[], $4::timestamptz[]) AS n (memory_id, due_at)
WHERE p.tenant_id = $1 AND p.memory_id = n.memory_id;

-- name: delete
-- Forget memories that wait no more.
DELETE FROM pending_vector WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]);

-- name: waiting
-- Read what an embedder needs of memories that still wait.
SELECT memory_id, revision, content, speaker, valid_from
FROM memory
WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND vector_pending AND ended_at IS NULL;
