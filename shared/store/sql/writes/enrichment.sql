-- The enrichment of turns.

-- name: serialise
-- Let no two turns of a tenant be written to their places at once: each must see what the other has left.
SELECT pg_advisory_xact_lock(hashtextextended('enrich ' || $1::uuid, 0))
