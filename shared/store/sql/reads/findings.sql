-- Recorded findings.

-- name: columns
-- What a finding is read as, with the memories it is about, sorted.
f.finding_id, f.kind, f.state, f.company, f.subject, f.attribute, f.detail, f.first_seen_at, f.last_seen_at, f.changed_at, f.changed_by,
f.reason, f.decision_id, f.commit_xid,
ARRAY(SELECT m.memory_id FROM finding_memory AS m
      WHERE m.tenant_id = $1 AND m.finding_id = f.finding_id ORDER BY m.memory_id LIMIT 1000) AS memory_ids

-- name: get
-- One finding.
SELECT :columns FROM finding AS f WHERE f.tenant_id = $1 AND f.finding_id = $2

-- name: page
-- The next findings after ($6, $7), newest first.
SELECT :columns FROM finding AS f
WHERE f.tenant_id = $1 AND ($2::text IS NULL OR f.state = $2) AND ($3::text IS NULL OR f.kind = $3) AND ($4::text IS NULL OR f.company_key = $4)
  AND ($6::timestamptz IS NULL OR f.first_seen_at <= $6 AND (f.first_seen_at < $6 OR f.finding_id > $7::text))
ORDER BY f.first_seen_at DESC, f.finding_id LIMIT $5

-- name: changes
-- The next findings that changed after ($6, $7), in the order of the transactions that changed them; of those transactions only that no
-- earlier one can still follow.
SELECT :columns FROM finding AS f
WHERE f.tenant_id = $1 AND ($2::text IS NULL OR f.state = $2) AND ($3::text IS NULL OR f.kind = $3) AND ($4::text IS NULL OR f.company_key = $4)
  AND (f.commit_xid, f.finding_id) > ($6::xid8, $7::text) AND f.commit_xid < pg_snapshot_xmin(pg_current_snapshot())
ORDER BY f.commit_xid, f.finding_id LIMIT $5

-- name: horizon
-- The first transaction that later changes may still come from, and which cluster counts transactions here.
SELECT pg_snapshot_xmin(pg_current_snapshot()) AS horizon, system_identifier AS cluster FROM pg_control_system()
