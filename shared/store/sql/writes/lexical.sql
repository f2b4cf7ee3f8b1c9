-- Terms and weights of live memories, and of revisions that are no longer believed.

-- name: move_to_history
-- Move the terms of a memory into the history of one of its revisions.
WITH moved AS (
    DELETE FROM memory_lexical WHERE tenant_id = $1 AND memory_id = $2 RETURNING tenant_id, memory_id, terms, weights
)
INSERT INTO memory_lexical_history (tenant_id, memory_id, revision, terms, weights)
SELECT tenant_id, memory_id, $3, terms, weights FROM moved
-- Those of a memory that had ended and was restored are there already.
ON CONFLICT DO NOTHING;
