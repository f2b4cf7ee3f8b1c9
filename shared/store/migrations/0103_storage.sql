-- How much a tenant keeps: memories that are not erased, and the bytes of their content and metadata, earlier revisions included. Written with every write, in
-- its transaction, so it is exact; spread over 16 rows by the connection, so that parallel writes of one tenant seldom wait for each other. One row alone may be
-- below zero.

CREATE TABLE storage_use (
    tenant_id uuid NOT NULL,
    shard     smallint NOT NULL,
    memories  bigint NOT NULL,
    bytes     bigint NOT NULL,
    PRIMARY KEY (tenant_id, shard)
);
SELECT protect('storage_use');
GRANT SELECT, INSERT, UPDATE ON storage_use TO candor_writer;
GRANT SELECT ON storage_use TO candor_reader;

-- What was written before. What an ingest of the version before writes while this runs is not counted.
INSERT INTO storage_use (tenant_id, shard, memories, bytes)
SELECT tenant_id, 0, sum(memories), sum(bytes) FROM (
    SELECT tenant_id, count(*) AS memories, sum(octet_length(content) + octet_length(metadata::text)) AS bytes
    FROM memory WHERE state <> 'erased' GROUP BY tenant_id
    UNION ALL
    SELECT tenant_id, 0, sum(octet_length(content) + octet_length(metadata::text)) FROM memory_revision GROUP BY tenant_id
) AS kept GROUP BY tenant_id;
