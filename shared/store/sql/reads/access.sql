-- Whose a key is.

-- name: by_hash
-- The key with this peppered hash, whatever its tenant and state.
SELECT key_id, tenant_id, name, scopes, expires_at, revoked_at FROM authenticate_key($1);

-- name: page
-- Keys of the tenant after one, oldest first, with their use since a day.
SELECT k.*, u.last_used_at, u.requests AS recent_requests
FROM list_keys($2, $3, $4) AS k
LEFT JOIN LATERAL (
    SELECT max(d.last_used_at) AS last_used_at, least(coalesce(sum(d.requests) FILTER (WHERE d.day > $5), 0), 2147483647)::int AS requests
    FROM api_key_use AS d WHERE d.tenant_id = $1 AND d.key_id = k.key_id
) AS u ON true
ORDER BY k.created_at, k.key_id
