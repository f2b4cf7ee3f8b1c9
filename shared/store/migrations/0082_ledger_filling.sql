-- Memories of money that were written before there was a ledger are put on record by a job, some at a time, not here.
INSERT INTO job (job_id, tenant_id, kind, parameters, dedup_key, status, max_attempts, due_at, created_at)
SELECT gen_random_uuid(), tenant_id, 'fill_ledger', '{}', '', 'queued', 10, now(), now()
FROM (SELECT DISTINCT tenant_id FROM memory WHERE kind IN ('invoice', 'payroll_event') AND ended_at IS NULL) AS tenants;
