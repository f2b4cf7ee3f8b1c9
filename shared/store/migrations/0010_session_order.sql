-- The turns of a session in their order: recall reads the ones before and after a candidate. Serves the filter by session as the former index did.
-- CASE, not COALESCE: under row-level security the latter counts as leaky, and its comparisons would not reach the index.
DROP INDEX memory_session;
CREATE INDEX memory_session ON memory (tenant_id, session, (CASE WHEN valid_from IS NULL THEN recorded_at ELSE valid_from END), memory_id)
WHERE session IS NOT NULL;
