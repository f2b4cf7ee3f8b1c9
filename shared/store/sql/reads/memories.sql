-- Memories one by one, in pages, counted, and streamed. `:columns` and the like: scope.sql.

-- name: get
-- One memory as it is now.
SELECT :columns FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = $2

-- name: get_believed
-- The latest revision of one memory that was known at an instant.
SELECT :columns FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = $2 AND m.recorded_at <= $3
UNION ALL
SELECT :columns FROM memory_revision AS m WHERE m.tenant_id = $1 AND m.memory_id = $2 AND m.recorded_at <= $3
ORDER BY revision DESC LIMIT 1

-- name: newest
-- When the tenant's newest revision was recorded.
SELECT max(recorded_at) FROM memory WHERE tenant_id = $1

-- name: page
-- The newest memories of a scope as it is now.
SELECT :columns FROM :source WHERE :filters AND :current ORDER BY m.recorded_at DESC, m.memory_id LIMIT $16

-- name: page_believed
-- The newest memories of a scope as it was believed at $16, after the place ($17, $18) in that order.
WITH last_revisions AS MATERIALIZED (
    SELECT :columns FROM memory AS m
    WHERE :filters AND :believed
      AND ($17::timestamptz IS NULL OR m.recorded_at <= $17 AND (m.recorded_at < $17 OR m.memory_id > $18::uuid))
    ORDER BY m.recorded_at DESC, m.memory_id LIMIT $19
), edge AS ( -- no earlier revision beyond it can be on the page, so none is read
    SELECT recorded_at FROM last_revisions ORDER BY recorded_at DESC, memory_id OFFSET $19 - 1 LIMIT 1
), earlier_revisions AS MATERIALIZED (
    SELECT :columns FROM memory_revision AS m
    WHERE :filters AND :believed AND :last_believed
      AND ($17::timestamptz IS NULL OR m.recorded_at <= $17 AND (m.recorded_at < $17 OR m.memory_id > $18::uuid))
      AND m.recorded_at >= coalesce((SELECT recorded_at FROM edge), '-infinity')
    ORDER BY m.recorded_at DESC, m.memory_id LIMIT $19
)
SELECT * FROM last_revisions UNION ALL SELECT * FROM earlier_revisions ORDER BY recorded_at DESC, memory_id LIMIT $19

-- name: count
-- How many memories a scope has now.
SELECT count(*) FROM :source WHERE :filters AND :current

-- name: count_believed
-- How many memories a scope had as it was believed at $16.
SELECT (SELECT count(*) FROM memory AS m WHERE :filters AND :believed)
     + (SELECT count(*) FROM memory_revision AS m WHERE :filters AND :believed AND :last_believed)

-- name: stream
-- The next memories of a scope by id, after $17, as it was believed at $16.
WITH last_revisions AS MATERIALIZED (
    SELECT :columns FROM memory AS m WHERE :filters AND :believed AND m.memory_id > $17::uuid ORDER BY m.memory_id LIMIT $18
), edge AS (
    SELECT memory_id FROM last_revisions ORDER BY memory_id OFFSET $18 - 1 LIMIT 1
), earlier_revisions AS MATERIALIZED (
    SELECT :columns FROM memory_revision AS m
    WHERE :filters AND :believed AND :last_believed AND m.memory_id > $17::uuid
      AND m.memory_id <= coalesce((SELECT memory_id FROM edge), 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    ORDER BY m.memory_id LIMIT $18
)
SELECT * FROM last_revisions UNION ALL SELECT * FROM earlier_revisions ORDER BY memory_id LIMIT $18
