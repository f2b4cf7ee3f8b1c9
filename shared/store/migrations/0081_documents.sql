-- Documents that wait for the job that reads them: gone when it has ended.

SELECT make_tenant_table('document_upload', $columns$
    tenant_id   uuid NOT NULL,
    job_id      uuid NOT NULL,
    position    int NOT NULL,                 -- in the request
    declared    text COLLATE "C" NOT NULL,    -- what the caller says of it, a JSON object
    content     bytea,                        -- null once it was read
    reading     text COLLATE "C",             -- what it says, or why it failed, a JSON object
    recorded_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, job_id, position)
$columns$, :partitions);

ALTER TABLE document_upload ALTER COLUMN content SET STORAGE EXTERNAL;  -- papers are compressed already

SELECT protect('document_upload');
GRANT SELECT, INSERT, UPDATE, DELETE ON document_upload TO candor_writer;
