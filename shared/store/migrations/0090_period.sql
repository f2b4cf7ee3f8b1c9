-- The filter by a period as it is written: recall's scope by `period` was read from the whole tenant, since memory_period serves ranges of days only.
CREATE INDEX memory_period_written ON memory (tenant_id, period) WHERE period IS NOT NULL;
