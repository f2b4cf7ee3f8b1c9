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
