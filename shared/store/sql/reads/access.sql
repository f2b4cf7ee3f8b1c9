-- Whose a key is.

-- name: by_hash
-- The key with this peppered hash, whatever its tenant and state.
SELECT key_id, tenant_id, name, scopes, expires_at, revoked_at FROM authenticate_key($1)
