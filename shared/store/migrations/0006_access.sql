-- Tenants and their keys. Outside row-level security: a key is looked up before its tenant is known, through one definer function only.

CREATE TABLE tenant (
    tenant_id  uuid PRIMARY KEY,
    name       text COLLATE "C" NOT NULL UNIQUE,
    created_at timestamptz NOT NULL
);

CREATE TABLE api_key (
    key_id     uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES tenant,
    name       text NOT NULL,
    key_hash   bytea NOT NULL UNIQUE,
    scopes     text[] NOT NULL,
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    expires_at timestamptz,
    revoked_at timestamptz
);

GRANT SELECT, INSERT ON tenant, api_key TO candor_writer;

CREATE FUNCTION authenticate_key(hash bytea)
RETURNS TABLE (key_id uuid, tenant_id uuid, name text, scopes text[], expires_at timestamptz, revoked_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = candor, pg_temp AS $$
    SELECT k.key_id, k.tenant_id, k.name, k.scopes, k.expires_at, k.revoked_at FROM api_key AS k WHERE k.key_hash = hash
$$;
REVOKE ALL ON FUNCTION authenticate_key(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION authenticate_key(bytea) TO candor_reader;
