-- Erasure of every table that tells of a memory by its id, whichever migration made it, and of what is said of findings: a stale one quotes the former value
-- too, whose memory it was not kept under; and why somebody acknowledged a finding stands with an operation that touched no memory. Which finding that was is
-- not kept, so all such reasons go since the first of the erased findings was seen. Of a memory's history the states stay: the population over time is counted
-- from them.

CREATE OR REPLACE FUNCTION erase_memories(ids uuid[], at timestamptz) RETURNS TABLE (name text, erased bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, public, pg_temp AS $$
DECLARE
    tenant uuid := current_setting('candor.tenant')::uuid;
    condition text;
    operations uuid[];
    findings text[];
    told_since timestamptz;
    of_finding text := 'finding_id = ANY ($3)';
    of_decision text := 'decision_id IN (SELECT d.decision_id FROM decision_memory AS d WHERE d.tenant_id = $1 AND d.memory_id = ANY ($2) '
        || 'UNION ALL SELECT d.decision_id FROM decision_assertion AS d WHERE d.tenant_id = $1 AND d.memory_id = ANY ($2))';
BEGIN
    findings := ARRAY(
        SELECT n.finding_id FROM finding_memory AS n WHERE n.tenant_id = tenant AND n.memory_id = ANY (ids)
        UNION
        SELECT f.finding_id FROM finding AS f
        WHERE f.tenant_id = tenant AND f.kind = 'stale'
          AND EXISTS (SELECT FROM unnest(ids) AS i WHERE position(convert_to(i::text, 'UTF8') IN f.detail) > 0));
    told_since := (SELECT min(f.first_seen_at) FROM finding AS f WHERE f.tenant_id = tenant AND f.finding_id = ANY (findings));
    FOR name, condition IN
        SELECT c.relname, string_agg(format(CASE WHEN a.atttypid = 'uuid[]'::regtype THEN '%I && $2' ELSE '%I = ANY ($2)' END, a.attname), ' OR ')
        FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'candor'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname IN ('memory_id', 'first_memory_id', 'second_memory_id', 'memory_ids', 'decided_from')
          AND c.relname <> ALL (ARRAY['memory', 'memory_event', 'finding_memory', 'decision_memory', 'decision_assertion', 'consolidation_cursor'])
        GROUP BY c.relname
        UNION ALL VALUES
            ('finding', of_finding), ('decision', of_decision),
            ('job', 'EXISTS (SELECT FROM unnest($2) AS i WHERE position(i::text IN parameters::text) > 0)'),
            ('request', $request$ rpc <> ALL (ARRAY['CreateMemory', 'BatchCreateMemories', 'UpdateMemory', 'InvalidateMemory', 'RestoreMemory', 'ObserveTurn'])
                AND EXISTS (SELECT FROM unnest($2) AS i WHERE position(convert_to(i::text, 'UTF8') IN response) > 0) $request$)
    LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1 AND (%s)', name, condition) USING tenant, ids, findings;
        GET DIAGNOSTICS erased = ROW_COUNT;
        RETURN NEXT;
    END LOOP;
    -- What led to them goes last.
    FOR name, condition IN VALUES ('finding_memory', of_finding), ('decision_assertion', of_decision), ('decision_memory', of_decision) LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1 AND (%s)', name, condition) USING tenant, ids, findings;
        GET DIAGNOSTICS erased = ROW_COUNT;
        RETURN NEXT;
    END LOOP;
    -- The reason of an operation may say why in words of the memory, and stands with everything that the operation touched.
    operations := ARRAY(SELECT e.operation_id FROM memory_event AS e WHERE e.tenant_id = tenant AND e.memory_id = ANY (ids));
    name := 'operation';
    UPDATE operation AS o SET reason = ''
    WHERE o.tenant_id = tenant AND o.reason <> ''
      AND (o.operation_id = ANY (operations) OR (o.action = 'acknowledge-finding' AND o.recorded_at >= told_since));
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory (reasons)';
    UPDATE memory AS m SET state_reason = '' FROM memory_event AS e
    WHERE m.tenant_id = tenant AND e.tenant_id = tenant AND e.memory_id = m.memory_id AND e.action = 'ended'
      AND e.operation_id = ANY (operations) AND m.state_reason <> '';
    GET DIAGNOSTICS erased = ROW_COUNT;
    RETURN NEXT;
    name := 'memory_event';
    UPDATE memory_event AS e SET reason = '', changes = CASE
            WHEN e.memory_id <> ALL (ids) THEN e.changes
            WHEN e.changes -> 'state' IS NULL THEN '{}'
            ELSE json_build_object('state', e.changes -> 'state') END
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
