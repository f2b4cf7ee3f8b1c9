-- Work that is done after the answer: durable, taken on lease, visible with its attempts and errors.

-- Ids and parameters, never content. Not distributed by tenant: a worker looks across tenants.
CREATE TABLE job (
    job_id       uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    parameters   json NOT NULL,
    dedup_key    text COLLATE "C",                -- at most one open job of a tenant and kind has it
    status       text COLLATE "C" NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed')),
    attempts     int NOT NULL DEFAULT 0,          -- begun; the number of the last one fences off those before it
    max_attempts int NOT NULL,
    due_at       timestamptz NOT NULL,            -- not before
    lease_until  timestamptz,                     -- while running: then its worker is taken for dead
    progress     bigint NOT NULL DEFAULT 0,       -- in units of the kind's own
    total        bigint,                          -- null: unknown
    rerun_at     timestamptz,                     -- asked for again while it ran: then it is queued once more
    last_error   text COLLATE "C",                -- a reason, no text
    result       json,
    created_at   timestamptz NOT NULL,
    started_at   timestamptz,                     -- of the last attempt
    finished_at  timestamptz
);

CREATE UNIQUE INDEX job_dedup ON job (tenant_id, kind, dedup_key) WHERE dedup_key IS NOT NULL AND status IN ('queued', 'running');
-- Open jobs in the order in which they may be taken.
CREATE INDEX job_open ON job ((coalesce(lease_until, due_at))) WHERE status IN ('queued', 'running');
CREATE INDEX job_tenant ON job (tenant_id, created_at, job_id);
-- When a tenant had its last turn.
CREATE INDEX job_turn ON job (tenant_id, started_at DESC NULLS LAST);

-- Its own policy: inside a tenant's transaction that tenant's jobs only; a worker's transaction without a tenant sees all.
ALTER TABLE job ENABLE ROW LEVEL SECURITY;
ALTER TABLE job FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON job TO candor_writer
    USING (nullif(current_setting('candor.tenant', true), '') IS NULL OR tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid)
    WITH CHECK (nullif(current_setting('candor.tenant', true), '') IS NULL OR tenant_id = nullif(current_setting('candor.tenant', true), '')::uuid);
CREATE POLICY owner ON job TO candor_migrator USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON job TO candor_writer;

-- Answers are kept for 30 days; a job removes them then.
GRANT DELETE ON request TO candor_writer;
