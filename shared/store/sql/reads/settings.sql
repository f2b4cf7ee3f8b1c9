-- Settings of tenants.

-- name: in_force
-- The version of a tenant's settings that is in force, or was at an instant.
SELECT version, settings, actor, reason, recorded_at
FROM tenant_setting
WHERE tenant_id = $1 AND ($2::timestamptz IS NULL OR recorded_at <= $2)
ORDER BY version DESC LIMIT 1

-- name: page
-- The versions of a tenant's settings below $2, newest first.
SELECT version, settings, actor, reason, recorded_at
FROM tenant_setting
WHERE tenant_id = $1 AND version < $2
ORDER BY version DESC LIMIT $3
