-- What an audit needs beside values: which references are dependencies, and what a record said before.

-- The memory depends on the record: when a fact of the record changes, the memory may no longer hold.
ALTER TABLE reference ADD COLUMN is_dependency boolean NOT NULL DEFAULT false;
CREATE INDEX reference_dependency ON reference (tenant_id, company_key, target_key, memory_id) WHERE is_dependency;

-- What a record said and says no more, whatever the reason.
CREATE INDEX assertion_ended ON assertion (tenant_id, company_key, record_key, attribute) WHERE ended_at IS NOT NULL;
