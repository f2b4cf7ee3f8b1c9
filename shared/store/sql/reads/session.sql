-- The last turns of a session, the newest first: what was said, whatever became of it, but for what was taken back.

-- name: last_turns
-- Up to $4 turns of session $2 up to the instant $3, through the index of sessions.
SELECT m.memory_id, m.speaker, m.content, (CASE WHEN m.valid_from IS NULL THEN m.recorded_at ELSE m.valid_from END) AS moment
FROM memory AS m
WHERE m.tenant_id = $1 AND m.session = $2 AND m.kind = 'turn' AND m.state IN ('active', 'merged', 'superseded')
  AND (CASE WHEN m.valid_from IS NULL THEN m.recorded_at ELSE m.valid_from END) <= $3
  AND (m.expires_at IS NULL OR m.expires_at > $3)
ORDER BY m.session DESC, moment DESC, m.memory_id DESC LIMIT $4
