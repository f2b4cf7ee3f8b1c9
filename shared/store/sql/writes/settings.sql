-- Settings of tenants: versions that are only ever added.

-- name: serialise
-- Let no two changes of a tenant's settings run at once.
SELECT pg_advisory_xact_lock(hashtextextended('setting ' || $1::uuid, 0));

-- name: insert
-- Add a version.
INSERT INTO tenant_setting (tenant_id, version, settings, actor, reason, operation_id, recorded_at)
VALUES ($1, $2, $3::text::json, $4, $5, $6, $7);
