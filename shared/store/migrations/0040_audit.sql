-- What an audit needs beside values: which references are dependencies, and what a record said before; and indexes that answer it alone.

-- The memory depends on the record: when a fact of the record changes, the memory may no longer hold.
ALTER TABLE reference ADD COLUMN is_dependency boolean NOT NULL DEFAULT false;
CREATE INDEX reference_dependency ON reference (tenant_id, company_key, target_key, memory_id) WHERE is_dependency;

-- What a record said and says no more, whatever the reason.
CREATE INDEX assertion_ended ON assertion (tenant_id, company_key, record_key, attribute) WHERE ended_at IS NOT NULL;

-- Who may call for a counterpart: the values of shared/domain/counterpart.py, few among all.
CREATE INDEX assertion_calling ON assertion (tenant_id, company_key, record_key, attribute, canonical) INCLUDE (kind, period)
    WHERE ended_at IS NULL AND canonical IN ('paid', 'true', 'payroll_register', 'payroll register');

-- The pass over open assertions also tells whether differing ones meet.
DROP INDEX assertion_open;
CREATE INDEX assertion_open ON assertion (tenant_id, company_key, record_key, attribute, canonical) INCLUDE (kind, period, counterparty_key)
    WHERE ended_at IS NULL;

-- How much there is, and what is stored of a record, without a look at the rows.
DROP INDEX memory_record;
CREATE INDEX memory_record ON memory (tenant_id, company_key, record_key) INCLUDE (ended_at, kind, period, state);
