-- What memories assert of records, bitemporal and never deleted but by erasure.
-- Record key = (company_key, record_key): never company or period alone.

SELECT make_tenant_table('assertion', $columns$
    tenant_id        uuid NOT NULL,
    memory_id        uuid NOT NULL,
    attribute        text COLLATE "C" NOT NULL,
    revision         int NOT NULL,                -- of the memory, that first asserted it
    company_key      text COLLATE "C" NOT NULL,
    record_key       text COLLATE "C" NOT NULL,
    kind             text COLLATE "C" NOT NULL,
    raw              text NOT NULL,               -- one JSON scalar, verbatim
    canonical        text COLLATE "C" NOT NULL,   -- equal canonicals always agree
    value_type       text COLLATE "C" NOT NULL,
    number           numeric,
    currency         text COLLATE "C",
    unit             text COLLATE "C",
    counterparty_key text COLLATE "C",
    period           text COLLATE "C",
    valid_from       timestamptz,
    valid_to         timestamptz,
    recorded_at      timestamptz NOT NULL,
    ended_at         timestamptz,
    ended_reason     text COLLATE "C",
    operation_id     uuid NOT NULL,
    decision_id      uuid,
    commit_xid       xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (tenant_id, memory_id, attribute, revision)
$columns$, :partitions);

-- The whole-tenant audit is one ordered pass over this index, and "this value is contested" one probe.
CREATE INDEX assertion_open ON assertion (tenant_id, company_key, record_key, attribute, canonical) INCLUDE (kind, period) WHERE ended_at IS NULL;
CREATE INDEX assertion_superseded ON assertion (tenant_id, company_key, record_key, attribute) WHERE ended_reason = 'superseded';
CREATE INDEX assertion_commit ON assertion (tenant_id, commit_xid);

-- Which records active memories refer to.
SELECT make_tenant_table('reference', $columns$
    tenant_id   uuid NOT NULL,
    company_key text COLLATE "C" NOT NULL,
    target_key  text COLLATE "C" NOT NULL,
    memory_id   uuid NOT NULL,
    target      text NOT NULL,
    PRIMARY KEY (tenant_id, company_key, target_key, memory_id)
$columns$, :partitions);

CREATE INDEX reference_memory ON reference (tenant_id, memory_id);

SELECT protect('assertion'), protect('reference');
GRANT SELECT ON assertion, reference TO candor_reader;
GRANT SELECT, INSERT, UPDATE ON assertion TO candor_writer;
GRANT SELECT, INSERT, DELETE ON reference TO candor_writer;
ALTER TABLE assertion ALTER COLUMN tenant_id SET STATISTICS 1000;
ALTER TABLE reference ALTER COLUMN tenant_id SET STATISTICS 1000;
