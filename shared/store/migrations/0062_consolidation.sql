-- Consolidation: what was shown is carried out or nothing, and how far the pass has come.

-- The pass reads what was written since, some memories at a time: an import writes many in one transaction.
DROP INDEX memory_commit;
CREATE INDEX memory_commit ON memory (tenant_id, commit_xid, memory_id);

-- What a preview showed. Ids only: what a digest says follows from its sources. Kept for a day.
SELECT make_tenant_table('consolidation_plan', $columns$
    tenant_id   uuid NOT NULL,
    plan_id     uuid NOT NULL,
    digest_ids  uuid[] NOT NULL, -- of the digests that are to be written
    numbers     int[] NOT NULL,  -- of each member: which digest it is part of
    memory_ids  uuid[] NOT NULL,
    revisions   int[] NOT NULL,
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, plan_id)
$columns$, :partitions);

CREATE INDEX consolidation_plan_recorded ON consolidation_plan (tenant_id, recorded_at);
SELECT protect('consolidation_plan');
GRANT SELECT, INSERT, DELETE ON consolidation_plan TO candor_writer;
ALTER TABLE consolidation_plan ALTER COLUMN tenant_id SET STATISTICS 1000;

-- Up to where, in the order of commits, a tenant's memories were looked at.
SELECT make_tenant_table('consolidation_cursor', $columns$
    tenant_id  uuid NOT NULL,
    commit_xid xid8 NOT NULL,
    memory_id  uuid NOT NULL,
    PRIMARY KEY (tenant_id)
$columns$, 0);
SELECT protect('consolidation_cursor');
GRANT SELECT, INSERT, UPDATE ON consolidation_cursor TO candor_writer;
