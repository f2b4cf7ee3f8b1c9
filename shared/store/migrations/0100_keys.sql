-- What happens to keys: revoked, replaced, and how much each is used.

ALTER TABLE api_key ADD COLUMN revoked_by text, ADD COLUMN replaced_by uuid;
CREATE INDEX api_key_tenant ON api_key (tenant_id, created_at, key_id);
GRANT UPDATE (expires_at, revoked_at, revoked_by, replaced_by) ON api_key TO candor_writer;

-- One row of a key, a day (UTC) and who counted, written in batches: no request waits for it.
CREATE TABLE api_key_use (
    tenant_id    uuid NOT NULL,
    key_id       uuid NOT NULL,
    day          date NOT NULL,
    counter_id   uuid NOT NULL,
    requests     bigint NOT NULL,
    last_used_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, key_id, day, counter_id)
);
SELECT protect('api_key_use');
GRANT SELECT, INSERT, UPDATE ON api_key_use TO candor_writer;
GRANT SELECT ON api_key_use TO candor_reader;

-- The keys of the tenant of the transaction, without what they are known by.
CREATE FUNCTION list_keys(after timestamptz, after_id uuid, most int)
RETURNS TABLE (key_id uuid, name text, scopes text[], created_at timestamptz, created_by text, expires_at timestamptz, revoked_at timestamptz,
    revoked_by text, replaced_by uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = candor, pg_temp AS $$
    SELECT k.key_id, k.name, k.scopes, k.created_at, k.created_by, k.expires_at, k.revoked_at, k.revoked_by, k.replaced_by FROM api_key AS k
    WHERE k.tenant_id = current_setting('candor.tenant')::uuid AND (k.created_at, k.key_id) > (after, after_id)
    ORDER BY k.created_at, k.key_id LIMIT most
$$;
REVOKE ALL ON FUNCTION list_keys(timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION list_keys(timestamptz, uuid, int) TO candor_reader;
