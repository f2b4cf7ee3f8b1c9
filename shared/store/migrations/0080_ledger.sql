-- The ledger: what memories say of money, one row for each entry and each time it was believed. Derived from memories and decisions, never given.

-- Amounts are exact: in major units, with as many decimals as the currency has, or as written where the currency is not known. (Minor units need a
-- known currency, and numeric is no float; sums of a million cost 0.1 s more than those of bigint would.)
SELECT make_tenant_table('ledger_entry', $columns$
    tenant_id                uuid NOT NULL,
    memory_id                uuid NOT NULL,
    ordinal                  int NOT NULL,                -- counts the entries that the memory ever made
    revision                 int NOT NULL,                -- of the memory
    side                     text COLLATE "C" NOT NULL,   -- revenue, purchase or payroll
    dedup_key                bytea NOT NULL,              -- entries that share it tell of the same money: the one written last counts
    currency                 text COLLATE "C" NOT NULL,   -- ISO 4217; '' where it is unknown
    amount                   numeric NOT NULL,            -- face value of an invoice, employer's cost of a payroll event
    cash                     numeric,                     -- what moved of it; null: unknown
    cash_status              text COLLATE "C" NOT NULL,
    gross                    numeric,
    employer_social_security numeric,
    employee_social_security numeric,
    tax                      numeric,
    employee_count           int,
    company                  text,
    company_key              text COLLATE "C" NOT NULL,
    period                   text COLLATE "C",
    period_start             date,
    period_end               date,
    party                    text,                        -- vendor or customer
    invoice_number           text,
    dated                    date,
    decided_from             uuid[] NOT NULL,             -- memories whose values a decision put in the place of this one's
    valid_from               timestamptz,
    valid_to                 timestamptz,
    written_at               timestamptz NOT NULL,        -- when the memory's revision was recorded
    recorded_at              timestamptz NOT NULL,
    ended_at                 timestamptz,
    operation_id             uuid NOT NULL,
    PRIMARY KEY (tenant_id, memory_id, ordinal)
$columns$, :partitions);

-- Totals are one ordered pass over this index: of entries that share a key the first one counts, and nothing is sorted.
CREATE INDEX ledger_entry_total ON ledger_entry (tenant_id, dedup_key, written_at DESC, memory_id, ordinal DESC) INCLUDE (
    side, currency, amount, cash, gross, employer_social_security, employee_social_security, tax, employee_count, company_key, period,
    period_start, period_end, valid_from, valid_to, recorded_at, ended_at);
CREATE INDEX ledger_entry_written ON ledger_entry (tenant_id, written_at DESC, memory_id, ordinal DESC);
CREATE INDEX ledger_entry_side ON ledger_entry (tenant_id, side, currency, written_at DESC, memory_id, ordinal DESC);
CREATE INDEX ledger_entry_company ON ledger_entry (tenant_id, company_key, period_start);
CREATE INDEX ledger_entry_period ON ledger_entry (tenant_id, period_start, period_end);

SELECT protect('ledger_entry');
GRANT SELECT ON ledger_entry TO candor_reader;
GRANT SELECT, INSERT, UPDATE ON ledger_entry TO candor_writer;
ALTER TABLE ledger_entry ALTER COLUMN tenant_id SET STATISTICS 1000;

-- Where a decision has ended what a memory says, the ledger takes the value that the decision chose: found from either side.
CREATE INDEX assertion_decided ON assertion (tenant_id, company_key, record_key, attribute) WHERE ended_reason = 'decided';

-- The function of migration 0063, with the ledger: what memories put there themselves, and what others put there with a value of theirs.
CREATE OR REPLACE FUNCTION erase_memories(ids uuid[], at timestamptz) RETURNS TABLE (name text, erased bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, public, pg_temp AS $$
DECLARE
    tenant uuid := current_setting('candor.tenant')::uuid;
    condition text;
    operations uuid[];
    memory text := 'memory_id = ANY ($2)';
    of_finding text := 'finding_id IN (SELECT f.finding_id FROM finding_memory AS f WHERE f.tenant_id = $1 AND f.memory_id = ANY ($2))';
    of_decision text := 'decision_id IN (SELECT d.decision_id FROM decision_memory AS d WHERE d.tenant_id = $1 AND d.memory_id = ANY ($2) '
        || 'UNION ALL SELECT d.decision_id FROM decision_assertion AS d WHERE d.tenant_id = $1 AND d.memory_id = ANY ($2))';
    vectors text[] := ARRAY(SELECT t FROM embedding_generation AS g,
        LATERAL unnest(ARRAY['', '_history', '_staging']) AS s, LATERAL concat('memory_vector_g', g.generation, s) AS t);
BEGIN
    FOR name, condition IN
        SELECT v, memory FROM unnest(vectors) AS v
        UNION ALL SELECT t, memory FROM unnest(ARRAY['memory_revision', 'memory_tag', 'memory_lexical', 'memory_lexical_history', 'pending_vector',
            'assertion', 'reference', 'memory_use', 'memory_use_event']) AS t
        UNION ALL VALUES
            ('ledger_entry', 'memory_id = ANY ($2) OR decided_from && $2'),
            ('verdict', 'first_memory_id = ANY ($2) OR second_memory_id = ANY ($2)'),
            ('forgetting_plan', 'memory_ids && $2'), ('consolidation_plan', 'memory_ids && $2'),
            ('finding', of_finding), ('decision', of_decision),
            ('job', 'EXISTS (SELECT FROM unnest($2) AS i WHERE position(i::text IN parameters::text) > 0)'),
            ('request', $request$ rpc <> ALL (ARRAY['CreateMemory', 'BatchCreateMemories', 'UpdateMemory', 'InvalidateMemory', 'RestoreMemory', 'ObserveTurn'])
                AND EXISTS (SELECT FROM unnest($2) AS i WHERE position(convert_to(i::text, 'UTF8') IN response) > 0) $request$)
    LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1 AND (%s)', name, condition) USING tenant, ids;
        GET DIAGNOSTICS erased = ROW_COUNT;
        RETURN NEXT;
    END LOOP;
    -- What led to them goes last.
    FOR name, condition IN VALUES ('finding_memory', of_finding), ('decision_assertion', of_decision), ('decision_memory', of_decision) LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1 AND (%s)', name, condition) USING tenant, ids;
        GET DIAGNOSTICS erased = ROW_COUNT;
        RETURN NEXT;
    END LOOP;
    -- The reason of an operation may say why in words of the memory, and stands with everything that the operation touched.
    operations := ARRAY(SELECT e.operation_id FROM memory_event AS e WHERE e.tenant_id = tenant AND e.memory_id = ANY (ids));
    name := 'operation';
    UPDATE operation AS o SET reason = '' WHERE o.tenant_id = tenant AND o.reason <> '' AND o.operation_id = ANY (operations);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory (reasons)';
    UPDATE memory AS m SET state_reason = '' FROM memory_event AS e
    WHERE m.tenant_id = tenant AND e.tenant_id = tenant AND e.memory_id = m.memory_id AND e.action = 'ended'
      AND e.operation_id = ANY (operations) AND m.state_reason <> '';
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory_event';
    UPDATE memory_event AS e SET reason = '', changes = CASE WHEN e.memory_id = ANY (ids) THEN '{}' ELSE e.changes END
    WHERE e.tenant_id = tenant AND (e.memory_id = ANY (ids) OR (e.operation_id = ANY (operations) AND e.reason <> ''));
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory';
    UPDATE memory AS m SET
        kind = 'note', content = '', company = NULL, company_key = '', period = NULL, period_start = NULL, period_end = NULL, record = NULL,
        record_key = NULL, source_ref = NULL, counterparty = NULL, counterparty_key = NULL, speaker = NULL, session = NULL, tags = '{}', metadata = '{}',
        importance = NULL, pinned = false, protection = 'none', refs = '{}', derived_from = '{}', source_memory_ids = '{}', valid_from = NULL,
        valid_to = NULL, expires_at = NULL, ended_at = coalesce(m.ended_at, greatest(at, m.recorded_at)), state = 'erased', state_reason = NULL,
        superseded_by = NULL, vector_pending = false, content_hash = '', identity_hash = uuid_send(m.memory_id), commit_xid = pg_current_xact_id()
    WHERE m.tenant_id = tenant AND m.memory_id = ANY (ids);
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory (sources)';
    UPDATE memory AS m SET source_memory_ids = ARRAY(SELECT s FROM unnest(m.source_memory_ids) AS s WHERE s <> ALL (ids))
    WHERE m.tenant_id = tenant AND m.source_memory_ids && ids;
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
END $$;
