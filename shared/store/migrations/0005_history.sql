-- Who did what, when and why; and the answers that a repeated request gets again.

SELECT make_tenant_table('memory_event', $columns$
    tenant_id    uuid NOT NULL,
    event_id     uuid NOT NULL,
    memory_id    uuid NOT NULL,
    action       text COLLATE "C" NOT NULL,
    revision     int NOT NULL,
    actor        text NOT NULL,
    reason       text NOT NULL,
    operation_id uuid NOT NULL,
    recorded_at  timestamptz NOT NULL,
    changes      json NOT NULL,
    commit_xid   xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (tenant_id, memory_id, revision, event_id)
$columns$, :partitions);

CREATE INDEX memory_event_operation ON memory_event (tenant_id, operation_id);

SELECT make_tenant_table('operation', $columns$
    tenant_id    uuid NOT NULL,
    operation_id uuid NOT NULL,
    action       text COLLATE "C" NOT NULL,
    actor        text NOT NULL,
    reason       text NOT NULL,
    request_id   text NOT NULL,
    recorded_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, operation_id)
$columns$, :partitions);

SELECT make_tenant_table('request', $columns$
    tenant_id    uuid NOT NULL,
    rpc          text COLLATE "C" NOT NULL,
    request_id   text COLLATE "C" NOT NULL,
    request_hash bytea NOT NULL,
    response     bytea NOT NULL,
    recorded_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, rpc, request_id)
$columns$, :partitions);

CREATE INDEX request_recorded ON request (recorded_at);

SELECT protect('memory_event'), protect('operation'), protect('request');
GRANT SELECT ON memory_event, operation TO candor_reader;
GRANT SELECT, INSERT ON memory_event, operation, request TO candor_writer;
-- A request is claimed first, so that its twin waits, and answered at the end of the same transaction.
GRANT UPDATE (response) ON request TO candor_writer;
