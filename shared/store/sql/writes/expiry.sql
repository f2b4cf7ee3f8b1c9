-- What is kept for some time only.

-- name: requests
-- Delete some of the requests recorded before an instant.
DELETE FROM request
WHERE tenant_id = $1 AND (rpc, request_id) IN (
    SELECT rpc, request_id FROM request WHERE tenant_id = $1 AND recorded_at < $2 ORDER BY recorded_at LIMIT $3);

-- name: uses
-- Delete some of the uses counted before an instant.
DELETE FROM memory_use_event
WHERE tenant_id = $1 AND (request_id, memory_id) IN (
    SELECT request_id, memory_id FROM memory_use_event WHERE tenant_id = $1 AND used_at < $2 ORDER BY used_at LIMIT $3);

-- name: jobs
-- Delete some of the jobs that ended before an instant.
DELETE FROM job WHERE tenant_id = $1 AND job_id IN (
    SELECT job_id FROM job WHERE tenant_id = $1 AND finished_at < $2 ORDER BY finished_at LIMIT $3);

-- name: plans
-- Delete some of the plans made before an instant.
DELETE FROM forgetting_plan
WHERE tenant_id = $1 AND plan_id IN (
    SELECT plan_id FROM forgetting_plan WHERE tenant_id = $1 AND recorded_at < $2 ORDER BY recorded_at LIMIT $3);

-- name: consolidation_plans
-- Delete some of the plans of consolidation made before an instant.
DELETE FROM consolidation_plan
WHERE tenant_id = $1 AND plan_id IN (
    SELECT plan_id FROM consolidation_plan WHERE tenant_id = $1 AND recorded_at < $2 ORDER BY recorded_at LIMIT $3);

-- name: oldest
-- Read when the oldest of what is left began to age.
SELECT least(
    (SELECT min(recorded_at) FROM request WHERE tenant_id = $1),
    (SELECT min(used_at) FROM memory_use_event WHERE tenant_id = $1),
    (SELECT min(finished_at) FROM job WHERE tenant_id = $1),
    (SELECT min(recorded_at) FROM forgetting_plan WHERE tenant_id = $1),
    (SELECT min(recorded_at) FROM consolidation_plan WHERE tenant_id = $1));
