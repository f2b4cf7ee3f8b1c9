-- In how many memories terms occur: hints for ranking, never a truth. Numbers may be below zero for a moment, when one
-- process subtracts what another has not added yet; readers take those for zero.

-- name: add_terms
-- Add to the document frequencies of terms; the caller sorts them, so that two flushes never wait for each other in a ring.
INSERT INTO term_stat (tenant_id, term_id, memories)
SELECT $1, n.term_id, n.memories FROM unnest($2::int[], $3::bigint[]) AS n (term_id, memories)
ON CONFLICT (tenant_id, term_id) DO UPDATE SET memories = term_stat.memories + excluded.memories;

-- name: add_totals
-- Add to the number of memories and of their terms.
INSERT INTO tenant_stat (tenant_id, memories, terms) VALUES ($1, $2, $3)
ON CONFLICT (tenant_id) DO UPDATE SET
    memories = tenant_stat.memories + excluded.memories, terms = tenant_stat.terms + excluded.terms;
