-- Erasure: the one way by which content leaves for good. Services may not delete from most of these tables; these two functions may, as their owner,
-- and only for the tenant of the transaction. Rows by table are told, nothing else.

-- What is derived from a memory is looked for by the whole tenant's rows: erasure is rare, an index on each list of sources is not worth its upkeep.

-- Deletes all that speaks of these memories and leaves an empty row of each. What a stored answer of a plain write says is ids alone: it stays, so that a
-- request that is repeated does not write the memory again.
CREATE FUNCTION erase_memories(ids uuid[], at timestamptz) RETURNS TABLE (name text, erased bigint)
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

-- Deletes everything of the tenant but its row, which keeps no name.
CREATE FUNCTION erase_tenant() RETURNS TABLE (name text, erased bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = candor, public, pg_temp AS $$
DECLARE
    tenant uuid := current_setting('candor.tenant')::uuid;
BEGIN
    FOR name IN
        SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'candor'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND a.attname = 'tenant_id' AND c.relname <> 'tenant'
        ORDER BY 1
    LOOP
        EXECUTE format('DELETE FROM %I WHERE tenant_id = $1', name) USING tenant;
        GET DIAGNOSTICS erased = ROW_COUNT;
        RETURN NEXT;
    END LOOP;
    UPDATE tenant AS t SET name = 'erased-' || t.tenant_id WHERE t.tenant_id = tenant;
END $$;

REVOKE ALL ON FUNCTION erase_memories(uuid[], timestamptz), erase_tenant() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_memories(uuid[], timestamptz), erase_tenant() TO candor_writer;
