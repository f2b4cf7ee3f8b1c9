-- Verdicts of meaning: a cache, so that no pair is paid for twice. Erasure deletes those of a memory by its id.

SELECT make_tenant_table('verdict', $columns$
    tenant_id        uuid NOT NULL,
    first_hash       bytea NOT NULL,              -- keyed hashes of the two statements as judged, the smaller first
    second_hash      bytea NOT NULL,
    model            text COLLATE "C" NOT NULL,
    prompt_version   text COLLATE "C" NOT NULL,
    verdict          text COLLATE "C" NOT NULL,
    confidence       float8 NOT NULL,
    reason           text NOT NULL,               -- may quote the statements
    first_memory_id  uuid NOT NULL,               -- the memories it was given for
    second_memory_id uuid NOT NULL,
    recorded_at      timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, first_hash, second_hash, model, prompt_version)
$columns$, :partitions);

CREATE INDEX verdict_first_memory ON verdict (tenant_id, first_memory_id);
CREATE INDEX verdict_second_memory ON verdict (tenant_id, second_memory_id);

SELECT protect('verdict');
GRANT SELECT ON verdict TO candor_reader;
GRANT SELECT, INSERT, DELETE ON verdict TO candor_writer;
