-- How much a tenant keeps.

-- name: add
-- Add to what a tenant keeps, in the row of this connection, and tell all of it and the limits that the connection came with.
WITH own AS (
    INSERT INTO storage_use (tenant_id, shard, memories, bytes) VALUES ($1, pg_backend_pid() % 16, $2, $3)
    ON CONFLICT (tenant_id, shard) DO UPDATE SET
        memories = storage_use.memories + excluded.memories, bytes = storage_use.bytes + excluded.bytes
    RETURNING shard, memories, bytes
)
SELECT
    (own.memories + coalesce(others.memories, 0))::bigint AS memories, (own.bytes + coalesce(others.bytes, 0))::bigint AS bytes,
    coalesce(nullif(current_setting('candor.storage_memories', true), ''), '0')::bigint AS memories_max,
    coalesce(nullif(current_setting('candor.storage_bytes', true), ''), '0')::bigint AS bytes_max
FROM own CROSS JOIN LATERAL (
    SELECT sum(u.memories) AS memories, sum(u.bytes) AS bytes FROM storage_use AS u WHERE u.tenant_id = $1 AND u.shard <> own.shard
) AS others;

-- name: size
-- Add up what these memories take, all their revisions; erased ones take nothing.
SELECT
    (SELECT count(*) FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) AND state <> 'erased') AS memories,
    (
        (SELECT coalesce(sum(octet_length(content) + octet_length(metadata::text)), 0)
         FROM memory WHERE tenant_id = $1 AND memory_id = ANY ($2) AND state <> 'erased')
        + (SELECT coalesce(sum(octet_length(content) + octet_length(metadata::text)), 0)
           FROM memory_revision WHERE tenant_id = $1 AND memory_id = ANY ($2))
    )::bigint AS bytes;
