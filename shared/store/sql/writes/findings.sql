-- Findings and where they stand.

-- name: lock
-- Read where findings stand, locked in the order of their ids.
SELECT finding_id, state FROM finding WHERE tenant_id = $1 AND finding_id = ANY ($2::text[]) ORDER BY finding_id FOR UPDATE;

-- name: reopen
-- Open findings again that are seen at $2: those that were resolved before, and those whose set of values has changed since.
UPDATE finding AS f SET
    state = 'open', changed_at = $2, changed_by = NULL, reason = NULL, decision_id = NULL, commit_xid = pg_current_xact_id()
FROM unnest($3::text[], $4::bytea[]) AS n (finding_id, values_hash)
WHERE f.tenant_id = $1 AND f.finding_id = n.finding_id AND f.changed_at < $2
  AND (f.state = 'resolved' OR f.state = 'acknowledged' AND f.values_hash <> n.values_hash)
RETURNING f.finding_id;

-- name: record
-- Record findings as seen at $2, unless they were seen later already.
INSERT INTO finding AS f (
    tenant_id, finding_id, kind, state, company, company_key, subject, attribute, values_hash, detail, first_seen_at, last_seen_at, changed_at)
SELECT $1, n.finding_id, n.kind, 'open', n.company, n.company_key, n.subject, n.attribute, n.values_hash, n.detail, $2, $2, $2
FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[], $10::bytea[])
     AS n (finding_id, kind, company, company_key, subject, attribute, values_hash, detail)
ORDER BY n.finding_id
ON CONFLICT (tenant_id, finding_id) DO UPDATE SET
    last_seen_at = excluded.last_seen_at, values_hash = excluded.values_hash, detail = excluded.detail, company = excluded.company,
    subject = excluded.subject, commit_xid = CASE WHEN f.detail = excluded.detail THEN f.commit_xid ELSE pg_current_xact_id() END
WHERE f.last_seen_at <= excluded.last_seen_at
RETURNING finding_id;

-- name: insert_memories
-- Note the memories that findings are about.
INSERT INTO finding_memory (tenant_id, finding_id, memory_id)
SELECT $1, n.finding_id, n.memory_id FROM unnest($2::text[], $3::uuid[]) AS n (finding_id, memory_id)
ON CONFLICT DO NOTHING;

-- name: memories
-- Read the memories that findings are about.
SELECT DISTINCT memory_id FROM finding_memory WHERE tenant_id = $1 AND finding_id = ANY ($2::text[]);

-- name: delete_memories
-- Delete the memories that findings are about no more.
DELETE FROM finding_memory AS f
WHERE f.tenant_id = $1 AND f.finding_id = ANY ($2::text[])
  AND NOT EXISTS (SELECT FROM unnest($3::text[], $4::uuid[]) AS n (finding_id, memory_id)
                  WHERE n.finding_id = f.finding_id AND n.memory_id = f.memory_id);

-- name: resolve_unseen
-- Resolve the findings of these kinds that an audit of the whole tenant as of $2 did not see.
UPDATE finding SET state = 'resolved', changed_at = $2, changed_by = NULL, reason = NULL, decision_id = NULL, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND state <> 'resolved' AND last_seen_at < $2 AND changed_at < $2 AND kind = ANY ($3::text[])
RETURNING finding_id;

-- name: note_unjudged
-- Note that an audit met these findings' pairs at $2 and had no verdict.
UPDATE finding SET unjudged_at = $2
WHERE tenant_id = $1 AND finding_id = ANY ($3::text[]) AND (unjudged_at IS NULL OR unjudged_at < $2);

-- name: resolve_unmet
-- Resolve the findings of meaning that an audit of the whole tenant, begun at $2 and ended at $3, has not met: neither seen, nor without a
-- verdict. What was written to meanwhile, or waits for its vector, it may have missed.
UPDATE finding AS f SET state = 'resolved', changed_at = $3, changed_by = NULL, reason = NULL, decision_id = NULL, commit_xid = pg_current_xact_id()
WHERE f.tenant_id = $1 AND f.state <> 'resolved' AND f.kind = 'semantic' AND f.last_seen_at < $2 AND f.changed_at < $2
  AND (f.unjudged_at IS NULL OR f.unjudged_at < $2)
  AND NOT EXISTS (
      SELECT FROM finding_memory AS n JOIN memory AS m ON m.tenant_id = n.tenant_id AND m.memory_id = n.memory_id
      WHERE n.tenant_id = $1 AND n.finding_id = f.finding_id AND m.state = 'active' AND (m.recorded_at > $2 OR m.vector_pending))
RETURNING f.finding_id;

-- name: move
-- Put a finding into a state, by a person and maybe a decision.
UPDATE finding SET state = $3, changed_at = $4, changed_by = $5, reason = $6, decision_id = $7, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND finding_id = $2;

-- name: move_back
-- Put a finding that a decision has put into its state back into another one.
UPDATE finding SET state = $4, changed_at = $5, changed_by = $6, reason = NULL, decision_id = NULL, commit_xid = pg_current_xact_id()
WHERE tenant_id = $1 AND finding_id = $2 AND decision_id = $3;
