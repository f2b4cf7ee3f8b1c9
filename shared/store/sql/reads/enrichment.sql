-- What the enrichment of a turn reads to plan itself; what it rests on is read again when it writes, unless nothing has changed.

-- name: turn
-- A turn, whether it was read for facts before, what is seen now, and whether that differs from what the snapshot $3 sees: whether any memory was written
-- to but turns that wait. A turn that only mentions what is held ends nothing but itself.
SELECT
    m.state, m.revision, m.recorded_at, pg_current_snapshot()::text AS snapshot,
    EXISTS (
        SELECT FROM memory_event AS e WHERE e.tenant_id = $1 AND e.memory_id = m.memory_id AND e.action = 'enriched'
    ) AS is_enriched,
    $3::text IS NOT NULL AND EXISTS (
        SELECT FROM memory
        WHERE tenant_id = $1 AND commit_xid >= pg_snapshot_xmin($3::text::pg_snapshot)
          AND NOT pg_visible_in_snapshot(commit_xid, $3::text::pg_snapshot) AND (kind <> 'turn' OR state <> 'active')
    ) AS has_changed,
    kind, content, company, period, record, source_ref, counterparty, speaker, session, tags, metadata, importance, pinned,
    valid_from, expires_at, memory_type, refs, derived_from, source_memory_ids, protection
FROM memory AS m
WHERE m.tenant_id = $1 AND m.memory_id = $2

-- name: known
-- The values that slots of a record have now, at most $3.
SELECT attribute, raw FROM assertion
WHERE tenant_id = $1 AND company_key = '' AND record_key = $2 AND attribute >= 'slot' AND attribute < 'slot~' AND ended_at IS NULL
ORDER BY attribute, canonical LIMIT $3

-- name: lane
-- All that memories say, or said until they ended, of attributes ($3) of records ($2); what a decision or a patch has taken from them is no part of it, nor is
-- what somebody chose to forget: told again, it is new.
SELECT a.record_key, a.attribute, a.raw, a.canonical, m.memory_id, coalesce(m.valid_from, m.recorded_at) AS since, m.recorded_at, m.state,
       coalesce(m.valid_to, CASE WHEN m.state = 'superseded' THEN m.ended_at END) AS until, m.superseded_by, u.mentioned_at
FROM unnest($2::text[], $3::text[]) AS n (record_key, attribute)
JOIN assertion AS a ON a.tenant_id = $1 AND a.company_key = '' AND a.record_key = n.record_key AND a.attribute = n.attribute
JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = a.memory_id AND m.ended_at IS NOT DISTINCT FROM a.ended_at AND m.valid_from IS NOT NULL
LEFT JOIN memory_use AS u ON u.tenant_id = $1 AND u.memory_id = m.memory_id
WHERE m.state NOT IN ('incorrect', 'erased')
  AND (m.state <> 'forgotten' OR (
          SELECT o.action FROM memory_event AS e JOIN operation AS o ON o.tenant_id = $1 AND o.operation_id = e.operation_id
          WHERE e.tenant_id = $1 AND e.memory_id = m.memory_id AND e.action = 'ended' ORDER BY e.commit_xid DESC, e.recorded_at DESC LIMIT 1
      ) = 'sweep')

-- name: restated
-- The memories, active or forgotten by a sweep, that say the same words ($2) of the same record.
SELECT m.content_hash, m.metadata, m.memory_id, m.valid_from AS since, m.recorded_at, m.state, m.valid_to AS until, m.superseded_by, u.mentioned_at
FROM (
    SELECT * FROM memory WHERE tenant_id = $1 AND content_hash = ANY ($2::bytea[]) AND ended_at IS NULL
    UNION ALL
    SELECT * FROM memory AS m WHERE tenant_id = $1 AND content_hash = ANY ($2::bytea[]) AND state = 'forgotten'
      AND (
          SELECT o.action FROM memory_event AS e JOIN operation AS o ON o.tenant_id = $1 AND o.operation_id = e.operation_id
          WHERE e.tenant_id = $1 AND e.memory_id = m.memory_id AND e.action = 'ended' ORDER BY e.commit_xid DESC, e.recorded_at DESC LIMIT 1
      ) = 'sweep'
) AS m
LEFT JOIN memory_use AS u ON u.tenant_id = $1 AND u.memory_id = m.memory_id
WHERE m.kind <> 'turn' AND m.valid_from IS NOT NULL

-- name: rare
-- Those of these terms that at most $3 memories hold.
SELECT n.term_id FROM unnest($2::int[]) AS n (term_id) LEFT JOIN term_stat AS s ON s.tenant_id = $1 AND s.term_id = n.term_id
WHERE coalesce(s.memories, 0) <= $3

-- name: neighbour
-- What a neighbour must be: `m` an active note that is dated, of no company, and of the record $2 or of none.
m.kind = 'note' AND m.state = 'active' AND m.company_key = '' AND m.valid_from IS NOT NULL AND (m.record_key IS NULL OR m.record_key = $2)

-- name: told
-- What is told of a neighbour `m`.
m.memory_id, m.content, m.kind, m.speaker, m.period, m.record_key, m.metadata, m.valid_from AS since, m.recorded_at, m.state, m.valid_to AS until,
m.superseded_by, u.mentioned_at

-- name: nearest
-- The $5 neighbours whose passages are nearest to a vector, at most $4 away.
SELECT near.distance, :told
FROM (
    SELECT memory_id, min(distance) AS distance
    FROM (
        (
            SELECT v.memory_id, v.embedding <=> $3::halfvec AS distance
            FROM memory_vector_g:generation AS v JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
            WHERE v.tenant_id = $1 AND :neighbour
            ORDER BY v.embedding <=> $3::halfvec LIMIT $5
        )
        UNION ALL
        (
            SELECT v.memory_id, v.embedding <=> $3::halfvec AS distance
            FROM memory_vector_g:generation_staging AS v JOIN memory AS m ON m.tenant_id = v.tenant_id AND m.memory_id = v.memory_id
            WHERE v.tenant_id = $1 AND :neighbour
            ORDER BY distance LIMIT $5
        )
    ) AS passages
    WHERE distance <= $4::float8
    GROUP BY memory_id ORDER BY 2, memory_id LIMIT $5
) AS near
JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = near.memory_id
LEFT JOIN memory_use AS u ON u.tenant_id = $1 AND u.memory_id = m.memory_id
ORDER BY near.distance, m.memory_id

-- name: sharing
-- The $5 neighbours that hold at least $4 of the terms $3.
SELECT :told
FROM memory_lexical AS l JOIN memory AS m ON m.tenant_id = $1 AND m.memory_id = l.memory_id
LEFT JOIN memory_use AS u ON u.tenant_id = $1 AND u.memory_id = m.memory_id
CROSS JOIN LATERAL (SELECT count(*) AS terms FROM unnest(l.terms) AS t (term_id) WHERE t.term_id = ANY ($3::int[])) AS shared
WHERE l.tenant_id = $1 AND l.terms && $3::int[] AND shared.terms >= $4 AND :neighbour
ORDER BY shared.terms DESC, l.memory_id LIMIT $5

-- name: merged_into
-- The memories that these speak for, turns left out.
SELECT m.memory_id, m.valid_from AS since, m.recorded_at, m.state, m.valid_to AS until, m.superseded_by, NULL::timestamptz AS mentioned_at
FROM memory AS m
WHERE m.tenant_id = $1 AND m.superseded_by = ANY ($2::uuid[]) AND m.state = 'merged' AND m.kind <> 'turn' AND m.valid_from IS NOT NULL
