-- Memories: the current revision in memory, earlier ones in memory_revision.
-- Keys compare by bytes (COLLATE "C"); labels keep what was written.

SELECT make_tenant_table('memory', $columns$
    tenant_id        uuid NOT NULL,
    memory_id        uuid NOT NULL,
    revision         int NOT NULL,
    kind             text COLLATE "C" NOT NULL,
    content          text NOT NULL,
    company          text,
    company_key      text COLLATE "C" NOT NULL,   -- '' without a company
    period           text COLLATE "C",
    period_start     date,                        -- first day of period
    period_end       date,                        -- last day of period
    record           text,
    record_key       text COLLATE "C",            -- canonical record id, else canonical source_ref
    source_ref       text COLLATE "C",
    counterparty     text,
    counterparty_key text COLLATE "C",
    speaker          text COLLATE "C",
    session          text COLLATE "C",
    tags             text[] NOT NULL,
    metadata         json NOT NULL,               -- json, not jsonb: kept verbatim
    memory_type      text COLLATE "C" NOT NULL,
    importance       float8,                      -- as flagged by a caller; null: not flagged
    pinned           boolean NOT NULL,
    refs             text[] NOT NULL,
    derived_from     uuid[] NOT NULL,
    source_memory_ids uuid[] NOT NULL,
    valid_from       timestamptz,
    valid_to         timestamptz,
    expires_at       timestamptz,
    recorded_at      timestamptz NOT NULL,
    ended_at         timestamptz,
    state            text COLLATE "C" NOT NULL,
    state_reason     text,
    superseded_by    uuid,
    vector_pending   boolean NOT NULL,
    content_hash     bytea NOT NULL,              -- of the folded content, company and record: finds duplicates
    identity_hash    bytea NOT NULL,              -- of every identity field: makes a repeated write a no-op
    operation_id     uuid NOT NULL,
    commit_xid       xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (tenant_id, memory_id)
$columns$, :partitions);

CREATE UNIQUE INDEX memory_identity ON memory (tenant_id, identity_hash) NULLS NOT DISTINCT WHERE ended_at IS NULL;
CREATE INDEX memory_recorded ON memory (tenant_id, recorded_at DESC, memory_id);
CREATE INDEX memory_kind ON memory (tenant_id, kind, recorded_at DESC);
CREATE INDEX memory_record ON memory (tenant_id, company_key, record_key);
CREATE INDEX memory_record_anywhere ON memory (tenant_id, record_key);
CREATE INDEX memory_source_ref ON memory (tenant_id, source_ref) WHERE source_ref IS NOT NULL;
CREATE INDEX memory_speaker ON memory (tenant_id, speaker) WHERE speaker IS NOT NULL;
CREATE INDEX memory_session ON memory (tenant_id, session) WHERE session IS NOT NULL;
CREATE INDEX memory_period ON memory (tenant_id, period_start, period_end) WHERE period_start IS NOT NULL;
CREATE INDEX memory_importance ON memory (tenant_id, importance) WHERE importance IS NOT NULL;
CREATE INDEX memory_content ON memory (tenant_id, content_hash) WHERE ended_at IS NULL;
CREATE INDEX memory_commit ON memory (tenant_id, commit_xid);

SELECT make_tenant_table('memory_revision', $columns$
    LIKE memory,
    PRIMARY KEY (tenant_id, memory_id, revision)
$columns$, :partitions);

CREATE INDEX memory_revision_recorded ON memory_revision (tenant_id, recorded_at, ended_at);

-- Tags of active memories. A table of its own because array operators are not leakproof: under row-level security no GIN index serves them.
SELECT make_tenant_table('memory_tag', $columns$
    tenant_id uuid NOT NULL,
    tag       text COLLATE "C" NOT NULL,
    memory_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, tag, memory_id)
$columns$, :partitions);

CREATE INDEX memory_tag_memory ON memory_tag (tenant_id, memory_id);

SELECT protect('memory'), protect('memory_revision'), protect('memory_tag');
GRANT SELECT ON memory, memory_revision, memory_tag TO candor_reader;
GRANT SELECT, INSERT, UPDATE ON memory TO candor_writer;
GRANT SELECT, INSERT ON memory_revision TO candor_writer;
GRANT SELECT, INSERT, DELETE ON memory_tag TO candor_writer;

-- B4: plans for small scopes inside a big tenant need good estimates.
DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memory', 'memory_revision', 'memory_tag'] LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET STATISTICS 1000', name);
    END LOOP;
END $$;
