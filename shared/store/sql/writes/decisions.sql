-- Decisions: what they end and confirm, how it was before, and how it is put back.

-- name: serialise
-- Let no two decisions of a tenant run at once: they are numbered, and one may rest on another.
SELECT pg_advisory_xact_lock(hashtextextended('decision ' || $1::uuid, 0));

-- name: insert
-- Insert a decision with the next number; none if its id is taken.
INSERT INTO decision (
    tenant_id, decision_id, number, action, finding_id, company, company_key, subject, record_key, attribute, selected_memory_id,
    effect, operation_id, actor, reason, recorded_at)
SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10, $11::text::json, $12, $13, $14, $15
FROM decision WHERE tenant_id = $1
ON CONFLICT (tenant_id, decision_id) DO NOTHING
RETURNING number;

-- name: insert_memories
-- Note the memories that a decision is about.
INSERT INTO decision_memory (tenant_id, decision_id, memory_id, role)
SELECT $1, $2, n.memory_id, n.role FROM unnest($3::uuid[], $4::text[]) AS n (memory_id, role);

-- name: carriers
-- Name the memories that assert an attribute of a record now.
SELECT DISTINCT memory_id FROM assertion
WHERE tenant_id = $1 AND company_key = $2 AND record_key = $3 AND attribute = $4 AND ended_at IS NULL;

-- name: keep_assertions
-- Keep the open assertions of memories about an attribute of a record as they are, before they are ended ($7) or confirmed.
INSERT INTO decision_assertion (
    tenant_id, decision_id, memory_id, attribute, revision, ended, before_decision, before_importance, before_decided_at)
SELECT tenant_id, $6, memory_id, attribute, revision, $7, decision_id, decided_importance, decided_at
FROM assertion
WHERE tenant_id = $1 AND company_key = $2 AND record_key = $3 AND attribute = $4 AND memory_id = ANY ($5::uuid[]) AND ended_at IS NULL;

-- name: end_assertions
-- End the open assertions of memories about an attribute of a record, by decision.
UPDATE assertion SET
    ended_at = greatest($7, recorded_at), ended_reason = 'decided', decision_id = $6, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND company_key = $2 AND record_key = $3 AND attribute = $4 AND memory_id = ANY ($5::uuid[]) AND ended_at IS NULL;

-- name: confirm_assertions
-- Let open assertions of memories about an attribute of a record weigh what a human decision weighs.
UPDATE assertion SET
    decided_importance = greatest(decided_importance, $8), decided_at = $7, decision_id = $6, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND company_key = $2 AND record_key = $3 AND attribute = $4 AND memory_id = ANY ($5::uuid[]) AND ended_at IS NULL;

-- name: find
-- Read a decision and lock it until the end of the transaction.
SELECT number, action, finding_id, company_key, record_key, attribute, selected_memory_id, effect, recorded_at, undone_at
FROM decision WHERE tenant_id = $1 AND decision_id = $2
FOR UPDATE;

-- name: memories
-- Read the memories that a decision is about.
SELECT memory_id, role FROM decision_memory WHERE tenant_id = $1 AND decision_id = $2;

-- name: later
-- The first later decision with an effect, not undone, about the same attribute of the same record; or, when one of the two is about
-- whole memories, about one of the same memories.
SELECT l.decision_id
FROM decision AS d JOIN decision AS l ON l.tenant_id = d.tenant_id AND l.number > d.number
WHERE d.tenant_id = $1 AND d.decision_id = $2 AND l.tenant_id = $1 AND l.undone_at IS NULL AND l.action <> 'defer'
  AND CASE WHEN d.attribute IS NOT NULL AND l.attribute IS NOT NULL
      THEN (l.company_key, l.record_key, l.attribute) = (d.company_key, d.record_key, d.attribute)
      ELSE EXISTS (
          SELECT FROM decision_memory AS mine JOIN decision_memory AS theirs
              ON theirs.tenant_id = mine.tenant_id AND theirs.memory_id = mine.memory_id
          WHERE mine.tenant_id = $1 AND mine.decision_id = d.decision_id AND theirs.tenant_id = $1 AND theirs.decision_id = l.decision_id)
      END
ORDER BY l.number LIMIT 1;

-- name: changed_since
-- Name a memory whose assertion is not as the decision left it: ended with its memory, asserted anew, or decided again.
SELECT k.memory_id
FROM decision_assertion AS k
LEFT JOIN assertion AS a
    ON a.tenant_id = $1 AND a.memory_id = k.memory_id AND a.attribute = k.attribute AND a.revision = k.revision AND a.decision_id = $2
LEFT JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = k.memory_id
WHERE k.tenant_id = $1 AND k.decision_id = $2 AND k.ended AND (
    a.ended_reason IS DISTINCT FROM 'decided' OR m.state IS DISTINCT FROM 'active' OR EXISTS (
        SELECT FROM assertion AS later
        WHERE later.tenant_id = $1 AND later.memory_id = k.memory_id AND later.attribute = k.attribute AND later.revision > k.revision))
ORDER BY k.memory_id LIMIT 1;

-- name: put_back
-- Put the assertions that a decision ended or confirmed back as they were; one that ended otherwise since stays ended.
UPDATE assertion AS a SET
    ended_at = CASE WHEN a.ended_reason = 'decided' THEN NULL ELSE a.ended_at END,
    ended_reason = CASE WHEN a.ended_reason = 'decided' THEN NULL ELSE a.ended_reason END,
    decision_id = k.before_decision, decided_importance = k.before_importance, decided_at = k.before_decided_at,
    commit_xid = pg_current_xact_id()
FROM decision_assertion AS k
WHERE k.tenant_id = $1 AND k.decision_id = $2
  AND a.tenant_id = $1 AND a.memory_id = k.memory_id AND a.attribute = k.attribute AND a.revision = k.revision AND a.decision_id = $2;

-- name: mark_undone
-- Say that a decision was undone, by whom and why.
UPDATE decision SET undone_at = $3, undone_by = $4, undone_reason = $5, undo_operation_id = $6 WHERE tenant_id = $1 AND decision_id = $2;
