-- Decisions, as they were taken.

-- name: columns
-- What a decision is read as.
d.decision_id, d.number, d.action, d.finding_id, d.company, d.subject, d.attribute, d.selected_memory_id, d.operation_id, d.actor, d.reason,
d.recorded_at, d.undone_at, d.undone_by, d.undone_reason,
ARRAY(SELECT m.memory_id FROM decision_memory AS m
      WHERE m.tenant_id = $1 AND m.decision_id = d.decision_id AND m.role = 'target' ORDER BY m.memory_id) AS target_memory_ids,
(SELECT m.memory_id FROM decision_memory AS m
 WHERE m.tenant_id = $1 AND m.decision_id = d.decision_id AND m.role = 'correction') AS correction_memory_id

-- name: get
-- One decision.
SELECT :columns FROM decision AS d WHERE d.tenant_id = $1 AND d.decision_id = $2

-- name: page
-- The decisions below a number, newest first.
SELECT :columns FROM decision AS d
WHERE d.tenant_id = $1 AND d.number < $2
  AND ($3::uuid IS NULL OR EXISTS (
      SELECT FROM decision_memory AS m WHERE m.tenant_id = $1 AND m.memory_id = $3 AND m.decision_id = d.decision_id))
  AND ($4::text IS NULL OR d.company_key = $4) AND ($5::text IS NULL OR d.record_key = $5) AND ($6::text IS NULL OR d.attribute = $6)
ORDER BY d.number DESC LIMIT $7
