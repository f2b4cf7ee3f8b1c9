-- Fragments of the statements that read memories: what `:columns`, `:filters` and the like stand for in them.
-- Every filter is always in the text and always a parameter. Plans are custom, so one whose parameter is NULL is gone before the plan is
-- made, and one that is given reaches its index. Parameters $1 to $15 mean the same in every statement that has `:filters`.

-- name: columns
-- What a memory is read as; `m` is memory or memory_revision.
m.memory_id, m.revision, m.kind, m.content, m.company, m.company_key, m.period, m.record, m.record_key, m.source_ref, m.counterparty,
m.speaker, m.session, m.tags, m.metadata, m.importance, m.pinned, m.memory_type, m.refs, m.derived_from, m.valid_from, m.valid_to,
m.expires_at, m.recorded_at, m.ended_at, m.state, m.state_reason, m.superseded_by, m.vector_pending

-- name: explicit_record
-- The key of the record that a memory names by an id of its own; a source that many memories share is no such id.
CASE WHEN m.record IS NOT NULL THEN m.record_key END AS record_key

-- name: filters
-- The filters of a scope, apart from its state. $15 is the instant at which an expiry counts.
m.tenant_id = $1
AND ($2::text IS NULL OR m.kind = $2)
AND ($3::text IS NULL OR m.company_key = $3)
AND ($4::text IS NULL OR m.period = $4)
AND ($5::date IS NULL OR m.period_end >= $5)
AND ($6::date IS NULL OR m.period_start <= $6)
AND ($7::text IS NULL OR m.record_key = $7)
AND ($8::text IS NULL OR m.source_ref = $8)
AND ($9::text[] IS NULL OR m.tags @> $9)
AND ($10::text IS NULL OR m.speaker = $10)
AND ($11::text IS NULL OR m.session = $11)
AND ($12::float8 IS NULL OR m.importance >= $12)
AND ($14::timestamptz IS NULL
     OR (m.valid_from IS NULL OR m.valid_from <= $14) AND (m.valid_to IS NULL OR m.valid_to > $14))
AND ($15::timestamptz IS NULL OR m.expires_at IS NULL OR m.expires_at > $15)

-- name: current
-- The state as it is now.
m.state = $13::text

-- name: believed
-- The state as it was believed at $16: open then, or ended by then.
m.recorded_at <= $16::timestamptz
AND CASE WHEN $13::text = 'active' THEN m.ended_at IS NULL OR m.ended_at > $16 ELSE m.state = $13 AND m.ended_at <= $16 END

-- name: last_believed
-- Of an earlier revision: none that came after it was known at $16, unless it was open then.
($13::text = 'active'
 OR NOT EXISTS (SELECT FROM memory AS later
                WHERE later.tenant_id = $1 AND later.memory_id = m.memory_id AND later.recorded_at <= $16::timestamptz)
    AND NOT EXISTS (SELECT FROM memory_revision AS later
                    WHERE later.tenant_id = $1 AND later.memory_id = m.memory_id AND later.revision > m.revision
                      AND later.recorded_at <= $16::timestamptz))

-- name: all_memories
-- Where a scope is read from.
memory AS m

-- name: tagged_memories
-- Where a scope is read from when it asks for labels: from the first one's index; the other ones are checked in the row.
memory_tag AS t JOIN memory AS m ON m.tenant_id = t.tenant_id AND m.memory_id = t.memory_id AND t.tenant_id = $1 AND t.tag = ($9::text[])[1]
