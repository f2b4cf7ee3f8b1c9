-- Verdicts of meaning, a cache.

-- name: hold_memories
-- Hold those of these memories that are active, so that none is erased before its verdict can be seen.
SELECT memory_id FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND state = 'active' ORDER BY memory_id FOR SHARE;

-- name: insert
-- Insert verdicts that are not there yet.
INSERT INTO verdict (tenant_id, first_hash, second_hash, model, prompt_version, verdict, confidence, reason, first_memory_id,
                     second_memory_id, recorded_at)
SELECT $1, n.first_hash, n.second_hash, $2, $3, n.verdict, n.confidence, n.reason, n.first_memory_id, n.second_memory_id, $4
FROM unnest($5::bytea[], $6::bytea[], $7::text[], $8::float8[], $9::text[], $10::uuid[], $11::uuid[])
     AS n (first_hash, second_hash, verdict, confidence, reason, first_memory_id, second_memory_id)
ORDER BY n.first_hash, n.second_hash
ON CONFLICT DO NOTHING
RETURNING 1;
