-- The ledger: what memories say of money, brought to what they and the decisions about them say by now.

-- name: insert
-- Insert entries.
INSERT INTO ledger_entry (
    tenant_id, operation_id, memory_id, ordinal, revision, side, dedup_key, currency, amount, cash, cash_status, gross,
    employer_social_security, employee_social_security, tax, employee_count, company, company_key, period, period_start, period_end,
    party, invoice_number, dated, decided_from, valid_from, valid_to, written_at, recorded_at)
SELECT
    $1, n.operation_id, n.memory_id, n.ordinal, n.revision, n.side, n.dedup_key, n.currency, n.amount, n.cash, n.cash_status, n.gross,
    n.employer_social_security, n.employee_social_security, n.tax, n.employee_count, n.company, n.company_key, n.period, n.period_start, n.period_end,
    n.party, n.invoice_number, n.dated, n.decided_from::uuid[], n.valid_from, n.valid_to, n.written_at, n.recorded_at
FROM unnest(
    $2::uuid[], $3::uuid[], $4::int[], $5::int[], $6::text[], $7::bytea[], $8::text[], $9::numeric[], $10::numeric[], $11::text[], $12::numeric[],
    $13::numeric[], $14::numeric[], $15::numeric[], $16::int[], $17::text[], $18::text[], $19::text[], $20::date[], $21::date[],
    $22::text[], $23::text[], $24::date[], $25::text[], $26::timestamptz[], $27::timestamptz[], $28::timestamptz[], $29::timestamptz[]
) AS n (
    operation_id, memory_id, ordinal, revision, side, dedup_key, currency, amount, cash, cash_status, gross,
    employer_social_security, employee_social_security, tax, employee_count, company, company_key, period, period_start, period_end,
    party, invoice_number, dated, decided_from, valid_from, valid_to, written_at, recorded_at);

-- name: lock
-- Lock memories of money, and those of whose values a decision ended one about which these say something: it may have taken theirs.
SELECT
    m.memory_id, m.revision, m.state, m.ended_at, m.recorded_at, m.valid_to, m.period_start, m.period_end,
    m.kind, m.content, m.company, m.period, m.record, m.source_ref, m.counterparty, m.speaker, m.session, m.tags, m.metadata,
    m.importance, m.pinned, m.valid_from, m.expires_at, m.memory_type, m.refs, m.derived_from, m.source_memory_ids, m.protection
FROM memory AS m
WHERE m.tenant_id = $1 AND m.kind IN ('invoice', 'payroll_event')
  AND m.memory_id IN (
      SELECT unnest($2::uuid[])
      UNION ALL
      SELECT l.memory_id
      FROM assertion AS a
      CROSS JOIN LATERAL ( -- OFFSET 0: one probe for each assertion, never a look at all that was ever decided
          SELECT memory_id FROM assertion
          WHERE tenant_id = $1 AND company_key = a.company_key AND record_key = a.record_key AND attribute = a.attribute
            AND ended_reason = 'decided' OFFSET 0
      ) AS l
      WHERE a.tenant_id = $1 AND a.memory_id = ANY ($2::uuid[]))
ORDER BY m.memory_id
FOR UPDATE OF m;

-- name: borrowers
-- Of memories that are about to be erased, name the others that may have taken a value of theirs by decision.
SELECT DISTINCT l.memory_id
FROM assertion AS a
CROSS JOIN LATERAL (
    SELECT memory_id FROM assertion
    WHERE tenant_id = $1 AND company_key = a.company_key AND record_key = a.record_key AND attribute = a.attribute
      AND ended_reason = 'decided' OFFSET 0
) AS l
WHERE a.tenant_id = $1 AND a.memory_id = ANY ($2::uuid[]) AND l.memory_id <> ALL ($2);

-- name: lost
-- What decisions ended of what memories say, and the value that was chosen instead, if it stands.
SELECT l.memory_id, l.attribute, w.memory_id AS chosen_id, w.raw
FROM (
    SELECT DISTINCT ON (memory_id, attribute) * FROM assertion
    WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[]) ORDER BY memory_id, attribute, revision DESC
) AS l
LEFT JOIN LATERAL (
    SELECT memory_id, raw FROM assertion AS a
    WHERE a.tenant_id = $1 AND a.company_key = l.company_key AND a.record_key = l.record_key AND a.attribute = l.attribute
      AND a.ended_at IS NULL AND a.decided_at IS NOT NULL
      AND (a.counterparty_key = l.counterparty_key) IS NOT FALSE AND (a.period = l.period) IS NOT FALSE
    ORDER BY a.decided_at DESC, a.memory_id LIMIT 1
) AS w ON true
WHERE l.ended_reason = 'decided'
ORDER BY l.memory_id, l.attribute;

-- name: standing
-- Read the open entries of memories, and of each memory how many it ever made.
SELECT * FROM (
    SELECT
        memory_id, revision, side, dedup_key, currency, amount, cash, cash_status, gross, employer_social_security, employee_social_security, tax,
        employee_count, company, company_key, period, period_start, period_end, party, invoice_number, dated, decided_from,
        valid_from, valid_to, written_at, ordinal, ended_at IS NULL AS is_open, max(ordinal) OVER (PARTITION BY memory_id) AS made
    FROM ledger_entry WHERE tenant_id = $1 AND memory_id = ANY ($2::uuid[])
) AS e
WHERE is_open OR ordinal = made
ORDER BY memory_id, ordinal;

-- name: end
-- End entries at an instant, or when they were recorded if a clock ahead of ours wrote them.
UPDATE ledger_entry AS e SET ended_at = greatest($2, e.recorded_at)
FROM unnest($3::uuid[], $4::int[]) AS n (memory_id, ordinal)
WHERE e.tenant_id = $1 AND e.memory_id = n.memory_id AND e.ordinal = n.ordinal;
