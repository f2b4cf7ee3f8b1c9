-- The ledger: sums and lists. `:scope` stands for the filters, of `e` or of whatever a statement puts in its place.
-- Parameters $1 to $8 mean the same in every statement: tenant, company, from, to, known at, valid at, expired at, side.

-- name: scope
-- The entries of a scope, as believed now or at $5. A period lies within the range or is not in it.
e.tenant_id = $1
AND ($2::text IS NULL OR e.company_key = $2)
AND ($3::date IS NULL OR e.period_start >= $3)
AND ($4::date IS NULL OR e.period_end <= $4)
AND CASE WHEN $5::timestamptz IS NULL THEN e.ended_at IS NULL ELSE e.recorded_at <= $5 AND (e.ended_at IS NULL OR e.ended_at > $5) END
AND ($6::timestamptz IS NULL OR e.valid_from IS NULL OR e.valid_from <= $6)
AND (e.valid_to IS NULL OR e.valid_to > $7::timestamptz)
AND ($8::text IS NULL OR e.side = $8)

-- name: counts
-- Of entries that share a key the one written last counts.
NOT EXISTS (
    SELECT FROM ledger_entry AS later
    WHERE :scope AND later.dedup_key = e.dedup_key
      AND (later.written_at > e.written_at OR later.written_at = e.written_at AND later.memory_id < e.memory_id))

-- name: columns
-- What an entry is read as.
e.memory_id, e.ordinal, e.revision, e.side, e.currency, e.amount, e.cash, e.cash_status, e.gross, e.employer_social_security,
e.employee_social_security, e.tax, e.employee_count, e.company, e.period, e.party, e.invoice_number, e.dated, e.decided_from,
e.written_at, e.recorded_at, e.ended_at

-- name: totals
-- Sum what counts, by side, currency and period. What is not known adds nothing; how often the cash is not known is counted.
SELECT
    side, currency, period, count(*) AS records, sum(amount) AS amount,
    coalesce(sum(cash), 0) AS cash, count(*) - count(cash) AS cash_unknown, coalesce(sum(amount) FILTER (WHERE cash IS NULL), 0) AS amount_cash_unknown,
    coalesce(sum(gross), 0) AS gross, coalesce(sum(employer_social_security), 0) AS employer_social_security,
    coalesce(sum(employee_social_security), 0) AS employee_social_security, coalesce(sum(tax), 0) AS tax,
    coalesce(sum(employee_count), 0) AS employee_count
FROM (
    SELECT DISTINCT ON (e.dedup_key)
        e.side, e.currency, e.period, e.amount, e.cash, e.gross, e.employer_social_security, e.employee_social_security, e.tax, e.employee_count
    FROM ledger_entry AS e WHERE :scope AND e.side <> 'employee'
    ORDER BY e.dedup_key, e.written_at DESC, e.memory_id, e.ordinal DESC
) AS counted
GROUP BY side, currency, period
ORDER BY currency, side, period

-- name: dearest
-- The employees who cost most in each currency, over all periods; the memories of their last shares.
SELECT * FROM (
    SELECT
        currency, max(invoice_number) AS employee_id, max(company) AS company, max(party) AS name, sum(amount) AS amount, count(*) AS shares,
        (array_agg(memory_id ORDER BY period DESC NULLS LAST, memory_id))[:$9::int] AS memory_ids,
        row_number() OVER (PARTITION BY currency ORDER BY sum(amount) DESC, company_key, employee_key) AS place
    FROM (
        SELECT DISTINCT ON (e.dedup_key)
            e.currency, e.company_key, lower(e.invoice_number) AS employee_key, e.invoice_number, e.company, e.party, e.amount, e.period, e.memory_id
        FROM ledger_entry AS e WHERE :scope AND e.side = 'employee'
        ORDER BY e.dedup_key, e.written_at DESC, e.memory_id, e.ordinal DESC
    ) AS counted
    GROUP BY currency, company_key, employee_key
) AS ranked
WHERE place <= $10
ORDER BY currency, place

-- name: latest
-- Of each side and currency, the entries that count, the last written first.
SELECT e.*
FROM unnest($9::text[], $10::text[]) WITH ORDINALITY AS w (side, currency, place)
CROSS JOIN LATERAL (
    SELECT :columns FROM ledger_entry AS e
    WHERE :scope AND e.side = w.side AND e.currency = w.currency AND :counts
    ORDER BY e.written_at DESC, e.memory_id, e.ordinal DESC LIMIT $11
) AS e
ORDER BY w.place, e.written_at DESC, e.memory_id, e.ordinal DESC

-- name: page
-- The entries that count, the last written first, after the place ($11, $12, $13) in that order.
SELECT :columns FROM ledger_entry AS e
WHERE :scope AND ($9::text IS NULL OR e.currency = $9) AND ($10::uuid IS NULL OR e.memory_id = $10)
  AND ($11::timestamptz IS NULL OR e.written_at < $11
       OR e.written_at = $11 AND (e.memory_id > $12::uuid OR e.memory_id = $12 AND e.ordinal < $13::int))
  AND (e.side <> 'employee' OR $8 = 'employee') AND :counts
ORDER BY e.written_at DESC, e.memory_id, e.ordinal DESC LIMIT $14
