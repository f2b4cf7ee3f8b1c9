-- Jobs: asked for, taken in turn on lease, kept while their worker lives, ended.

-- name: enqueue
-- Ask for a job. One that waits under the same key comes forward; one that runs will run once more.
INSERT INTO job (job_id, tenant_id, kind, dedup_key, parameters, max_attempts, due_at, created_at, status)
VALUES ($1, $2, $3, $4, $5::text::json, $6, $7, $8, 'queued')
ON CONFLICT (tenant_id, kind, dedup_key) WHERE dedup_key IS NOT NULL AND status IN ('queued', 'running') DO UPDATE SET
    due_at = CASE WHEN job.status = 'queued' THEN least(job.due_at, excluded.due_at) ELSE job.due_at END,
    rerun_at = CASE WHEN job.status = 'running' THEN least(job.rerun_at, excluded.due_at) END
RETURNING job_id;

-- name: claim
-- Take one job that is due or was lost, of the tenant that had no turn for the longest time, and count the attempt.
WITH due AS (
    SELECT DISTINCT ON (tenant_id) tenant_id, job_id, coalesce(lease_until, due_at) AS since
    FROM job
    WHERE status IN ('queued', 'running') AND coalesce(lease_until, due_at) <= $1 AND attempts < max_attempts AND kind = ANY ($3::text[])
    ORDER BY tenant_id, coalesce(lease_until, due_at), job_id
), turn AS (
    SELECT job_id, row_number() OVER (
        ORDER BY (SELECT max(started_at) FROM job AS before WHERE before.tenant_id = due.tenant_id) NULLS FIRST, since, job_id) AS place
    FROM due
), taken AS (
    SELECT job.job_id FROM turn JOIN job USING (job_id)
    WHERE status IN ('queued', 'running') AND coalesce(lease_until, due_at) <= $1
    ORDER BY place LIMIT 1 FOR UPDATE OF job SKIP LOCKED
)
UPDATE job SET status = 'running', attempts = attempts + 1, lease_until = $2, started_at = $1, progress = 0, total = NULL
FROM taken WHERE job.job_id = taken.job_id
RETURNING job.job_id, tenant_id, kind, parameters, dedup_key, attempts, max_attempts;

-- name: bury
-- Give up jobs whose worker was lost in the last attempt.
UPDATE job SET status = 'failed', finished_at = $1, lease_until = NULL, last_error = 'WORKER_LOST'
WHERE status = 'running' AND coalesce(lease_until, due_at) <= $1 AND attempts >= max_attempts;

-- name: keep
-- Prolong the lease of an attempt and note how far it is; no row if it was lost.
UPDATE job SET lease_until = $3, progress = coalesce($4, progress), total = coalesce($5, total)
WHERE job_id = $1 AND attempts = $2 AND status = 'running'
RETURNING true;

-- name: finish
-- End an attempt that has done its work; queue the job again if it was asked for meanwhile.
UPDATE job SET
    status = CASE WHEN rerun_at IS NULL THEN 'done' ELSE 'queued' END, finished_at = CASE WHEN rerun_at IS NULL THEN $3::timestamptz END,
    due_at = coalesce(rerun_at, due_at), attempts = CASE WHEN rerun_at IS NULL THEN attempts ELSE 0 END,
    rerun_at = NULL, lease_until = NULL, last_error = NULL, result = $4::text::json
WHERE job_id = $1 AND attempts = $2 AND status = 'running'
RETURNING true;

-- name: fail
-- End an attempt that failed; queue the job again unless it was the last one.
UPDATE job SET
    status = CASE WHEN attempts < max_attempts THEN 'queued' ELSE 'failed' END,
    finished_at = CASE WHEN attempts < max_attempts THEN NULL ELSE $3::timestamptz END,
    due_at = $4, lease_until = NULL, last_error = $5
WHERE job_id = $1 AND attempts = $2 AND status = 'running'
RETURNING true;

-- name: release
-- Give back an attempt that was not carried out to its end, as if it had not begun.
UPDATE job SET status = 'queued', attempts = attempts - 1, due_at = $3, lease_until = NULL
WHERE job_id = $1 AND attempts = $2 AND status = 'running'
RETURNING true;

-- name: depth
-- Count the open jobs.
SELECT kind, status, count(*) AS jobs FROM job WHERE status IN ('queued', 'running') GROUP BY kind, status;

-- name: list
-- List a tenant's jobs, newest first, after a place.
SELECT job_id, kind, status, attempts, max_attempts, due_at, progress, total, last_error, result, created_at, started_at, finished_at
FROM job
WHERE tenant_id = $1 AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR kind = $3)
  AND ($4::timestamptz IS NULL OR (created_at, job_id) < ($4, $5::uuid))
ORDER BY created_at DESC, job_id DESC LIMIT $6;

-- name: get
-- Read a job of a tenant.
SELECT job_id, kind, status, attempts, max_attempts, due_at, progress, total, last_error, result, created_at, started_at, finished_at
FROM job
WHERE tenant_id = $1 AND job_id = $2;
