-- What a tenant declares of its data, the life of findings, and what people decide about them.

-- A tenant's settings. Each change is a version of its own; the last one is in force.
SELECT make_tenant_table('tenant_setting', $columns$
    tenant_id    uuid NOT NULL,
    version      int NOT NULL,
    settings     json NOT NULL,
    actor        text NOT NULL,
    reason       text NOT NULL,
    operation_id uuid NOT NULL,
    recorded_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, version)
$columns$, :partitions);

-- An assertion that a decision ended or confirmed. The confirmation weighs as importance, for this attribute alone.
-- Nothing was ever written into the former column of the same name.
ALTER TABLE assertion DROP COLUMN decision_id;
ALTER TABLE assertion ADD COLUMN decision_id text COLLATE "C";
ALTER TABLE assertion ADD COLUMN decided_importance float8;
ALTER TABLE assertion ADD COLUMN decided_at timestamptz;

-- Decisions, numbered in the order in which they were taken.
SELECT make_tenant_table('decision', $columns$
    tenant_id          uuid NOT NULL,
    decision_id        text COLLATE "C" NOT NULL,
    number             int NOT NULL,
    action             text COLLATE "C" NOT NULL, -- accept, override, defer, correct or incorrect
    finding_id         text COLLATE "C",
    company            text,
    company_key        text COLLATE "C",          -- with record_key and attribute: decided about one attribute of a record
    subject            text,
    record_key         text COLLATE "C",
    attribute          text COLLATE "C",          -- null: decided about whole memories
    selected_memory_id uuid,                      -- null: none was chosen
    effect             json NOT NULL,             -- what was before and after, as far as decision_assertion does not say it
    operation_id       uuid NOT NULL,
    actor              text NOT NULL,
    reason             text NOT NULL,
    recorded_at        timestamptz NOT NULL,
    undone_at          timestamptz,
    undone_by          text,
    undone_reason      text,
    undo_operation_id  uuid,
    PRIMARY KEY (tenant_id, decision_id)
$columns$, :partitions);

CREATE UNIQUE INDEX decision_number ON decision (tenant_id, number);
CREATE INDEX decision_group ON decision (tenant_id, company_key, record_key, attribute) WHERE attribute IS NOT NULL;

-- The memories that a decision is about: selected, target or correction.
SELECT make_tenant_table('decision_memory', $columns$
    tenant_id   uuid NOT NULL,
    memory_id   uuid NOT NULL,
    decision_id text COLLATE "C" NOT NULL,
    role        text COLLATE "C" NOT NULL,
    PRIMARY KEY (tenant_id, memory_id, decision_id)
$columns$, :partitions);

CREATE INDEX decision_memory_decision ON decision_memory (tenant_id, decision_id);

-- The assertions that a decision ended or confirmed, as they were before.
SELECT make_tenant_table('decision_assertion', $columns$
    tenant_id         uuid NOT NULL,
    decision_id       text COLLATE "C" NOT NULL,
    memory_id         uuid NOT NULL,
    attribute         text COLLATE "C" NOT NULL,
    revision          int NOT NULL,
    ended             boolean NOT NULL,           -- else confirmed
    before_decision   text COLLATE "C",
    before_importance float8,
    before_decided_at timestamptz,
    PRIMARY KEY (tenant_id, decision_id, memory_id, attribute, revision)
$columns$, :partitions);

-- Findings that an audit was asked to record, or a decision was about.
SELECT make_tenant_table('finding', $columns$
    tenant_id     uuid NOT NULL,
    finding_id    text COLLATE "C" NOT NULL,
    kind          text COLLATE "C" NOT NULL,
    state         text COLLATE "C" NOT NULL CHECK (state IN ('open', 'acknowledged', 'resolved')),
    company       text,
    company_key   text COLLATE "C" NOT NULL,
    subject       text,
    attribute     text COLLATE "C",
    values_hash   bytea NOT NULL,                 -- of the set of values: when it changes, the finding is open again
    detail        bytea NOT NULL,                 -- the finding's message, as last seen
    first_seen_at timestamptz NOT NULL,
    last_seen_at  timestamptz NOT NULL,
    changed_at    timestamptz NOT NULL,           -- of the state
    changed_by    text,                           -- null: an audit
    reason        text,
    decision_id   text COLLATE "C",
    commit_xid    xid8 NOT NULL DEFAULT pg_current_xact_id(), -- of the last change that callers are told of
    PRIMARY KEY (tenant_id, finding_id)
$columns$, :partitions);

CREATE INDEX finding_seen ON finding (tenant_id, first_seen_at DESC, finding_id);
CREATE INDEX finding_unresolved ON finding (tenant_id, last_seen_at) WHERE state <> 'resolved';
CREATE INDEX finding_commit ON finding (tenant_id, commit_xid, finding_id);

SELECT make_tenant_table('finding_memory', $columns$
    tenant_id  uuid NOT NULL,
    finding_id text COLLATE "C" NOT NULL,
    memory_id  uuid NOT NULL,
    PRIMARY KEY (tenant_id, finding_id, memory_id)
$columns$, :partitions);

CREATE INDEX finding_memory_memory ON finding_memory (tenant_id, memory_id);

SELECT protect('tenant_setting'), protect('decision'), protect('decision_memory'), protect('decision_assertion'),
       protect('finding'), protect('finding_memory');
GRANT SELECT ON tenant_setting, decision, decision_memory, decision_assertion, finding, finding_memory TO candor_reader, candor_writer;
GRANT INSERT ON tenant_setting, decision, decision_memory, decision_assertion TO candor_writer;
GRANT UPDATE (undone_at, undone_by, undone_reason, undo_operation_id) ON decision TO candor_writer;
GRANT INSERT, UPDATE ON finding TO candor_writer;
GRANT INSERT, DELETE ON finding_memory TO candor_writer;

-- An ended memory's terms come back with it when it is restored, their number too.
ALTER TABLE memory_lexical_history ADD COLUMN length int;
