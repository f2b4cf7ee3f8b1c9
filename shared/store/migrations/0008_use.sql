-- How memories are used: what changes with every answer, apart from what is indexed dearly.

SELECT make_tenant_table('memory_use', $columns$
    tenant_id         uuid NOT NULL,
    memory_id         uuid NOT NULL,
    recall_count      bigint NOT NULL,
    last_used_at      timestamptz,
    scored_importance float8,                     -- by a model or rules; for ranking only
    fades_at          timestamptz,                -- null: not computed
    PRIMARY KEY (tenant_id, memory_id)
$columns$, :partitions);

CREATE INDEX memory_use_fades ON memory_use (tenant_id, fades_at) WHERE fades_at IS NOT NULL;

-- What was counted already: a use counts once for a request and a memory. Kept as long as requests are.
SELECT make_tenant_table('memory_use_event', $columns$
    tenant_id  uuid NOT NULL,
    request_id text COLLATE "C" NOT NULL,
    memory_id  uuid NOT NULL,
    used_at    timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, request_id, memory_id)
$columns$, :partitions);

CREATE INDEX memory_use_event_used ON memory_use_event (tenant_id, used_at);
-- The same for requests: the index by time alone does not serve a tenant's own expiry.
CREATE INDEX request_tenant_recorded ON request (tenant_id, recorded_at);

SELECT protect('memory_use'), protect('memory_use_event');
GRANT SELECT ON memory_use TO candor_reader;
GRANT SELECT, INSERT, UPDATE ON memory_use TO candor_writer;
GRANT SELECT, INSERT, DELETE ON memory_use_event TO candor_writer;
ALTER TABLE memory_use ALTER COLUMN tenant_id SET STATISTICS 1000;
