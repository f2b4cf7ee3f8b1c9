-- Forgetting: what fades is found by an index, what was planned is kept, and what was there before is dated once.

-- Of a kind that fades, live, and kept from it: counted with those that have fades_at when a tenant's population is bounded.
ALTER TABLE memory_use ADD COLUMN is_protected boolean NOT NULL DEFAULT false;
CREATE INDEX memory_use_protected ON memory_use (tenant_id) WHERE is_protected;

-- A sweep reads this index alone to find what has faded, and what fades next.
DROP INDEX memory_use_fades;
CREATE INDEX memory_use_fades ON memory_use (tenant_id, fades_at, memory_id) WHERE fades_at IS NOT NULL;

-- What was forgotten and is said again in the same words comes back.
CREATE INDEX memory_forgotten_identity ON memory (tenant_id, identity_hash) WHERE state = 'forgotten';

-- What a preview showed, so that exactly that is carried out or nothing. Ids only; kept for a day.
SELECT make_tenant_table('forgetting_plan', $columns$
    tenant_id   uuid NOT NULL,
    plan_id     uuid NOT NULL,
    memory_ids  uuid[] NOT NULL,
    revisions   int[] NOT NULL,
    fade_dates  timestamptz[] NOT NULL, -- null: never; used or protected meanwhile, the plan is stale
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, plan_id)
$columns$, :partitions);

CREATE INDEX forgetting_plan_recorded ON forgetting_plan (tenant_id, recorded_at);
SELECT protect('forgetting_plan');
GRANT SELECT, INSERT, DELETE ON forgetting_plan TO candor_writer;
ALTER TABLE forgetting_plan ALTER COLUMN tenant_id SET STATISTICS 1000;

-- Memories that were written before are dated by a job, some at a time, not here.
INSERT INTO job (job_id, tenant_id, kind, parameters, dedup_key, status, max_attempts, due_at, created_at)
SELECT gen_random_uuid(), tenant_id, 'refresh_fading', '{}', '', 'queued', 10, now(), now()
FROM (SELECT DISTINCT tenant_id FROM memory) AS tenants;
