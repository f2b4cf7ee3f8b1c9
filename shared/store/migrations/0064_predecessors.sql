-- What a memory took the place of, for questions about the past. Turns that were only merged into a fact are left out: a fact that is told often has many.
CREATE INDEX memory_predecessors ON memory (tenant_id, superseded_by)
WHERE superseded_by IS NOT NULL AND (state = 'superseded' OR kind <> 'turn');
