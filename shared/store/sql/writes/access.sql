-- Tenants and the hashes of their keys.

-- name: insert_tenant
-- Insert a tenant, unless its name is taken.
INSERT INTO tenant (tenant_id, name, created_at) VALUES ($1, $2, $3) ON CONFLICT (name) DO NOTHING;

-- name: tenant_by_name
-- Find the tenant of a name.
SELECT tenant_id FROM tenant WHERE name = $1;

-- name: tenant_exists
-- Tell whether there is a tenant.
SELECT true FROM tenant WHERE tenant_id = $1;

-- name: insert_key
-- Insert a key by its hash.
INSERT INTO api_key (key_id, tenant_id, name, key_hash, scopes, created_at, created_by, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8);

-- name: lock_key
-- A key of a tenant, locked until the end of the transaction.
SELECT key_id, name, scopes, expires_at, revoked_at FROM api_key WHERE tenant_id = $1 AND key_id = $2 FOR UPDATE;

-- name: lock_admin_keys
-- The keys that can make others at an instant, locked: two that end each other's last wait for one another.
SELECT key_id FROM api_key
WHERE tenant_id = $1 AND 'admin' = ANY (scopes) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2) ORDER BY key_id FOR UPDATE;

-- name: revoke_key
-- End a key.
UPDATE api_key SET revoked_at = $3, revoked_by = $4 WHERE tenant_id = $1 AND key_id = $2;

-- name: replace_key
-- Name what replaces a key, and when it ceases to work.
UPDATE api_key SET expires_at = $3, replaced_by = $4 WHERE tenant_id = $1 AND key_id = $2;

-- name: record_use
-- Keep what a counter has seen of a tenant's keys: one row of a key and a day (UTC), which only grows.
INSERT INTO api_key_use AS u (tenant_id, key_id, day, counter_id, requests, last_used_at)
SELECT $1, g.key_id, (g.last_used_at AT TIME ZONE 'UTC')::date, $2, g.requests, g.last_used_at
FROM unnest($3::uuid[], $4::bigint[], $5::timestamptz[]) AS g (key_id, requests, last_used_at)
JOIN api_key AS k ON k.tenant_id = $1 AND k.key_id = g.key_id
ORDER BY g.key_id, g.last_used_at
ON CONFLICT (tenant_id, key_id, day, counter_id) DO UPDATE
SET requests = greatest(u.requests, excluded.requests), last_used_at = greatest(u.last_used_at, excluded.last_used_at);
