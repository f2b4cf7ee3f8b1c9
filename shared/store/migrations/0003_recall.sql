-- What recall ranks by: words here, vectors in one table per embedding generation (create_generation).

-- BM25 weights of live memories. No row-level security: the array operators are not leakproof, so under it PostgreSQL refuses the GIN index.
-- It holds keyed numbers only, and its rows reach a caller only through memory, which is protected.
SELECT make_tenant_table('memory_lexical', $columns$
    tenant_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    terms     int[] NOT NULL,
    weights   sparsevec(1000000000) NOT NULL,
    PRIMARY KEY (tenant_id, memory_id)
$columns$, :partitions);

CREATE INDEX memory_lexical_terms ON memory_lexical USING gin (terms);

-- The same of revisions that are no longer believed: scored exactly, never through an index.
SELECT make_tenant_table('memory_lexical_history', $columns$
    tenant_id uuid NOT NULL,
    memory_id uuid NOT NULL,
    revision  int NOT NULL,
    terms     int[] NOT NULL,
    weights   sparsevec(1000000000) NOT NULL,
    PRIMARY KEY (tenant_id, memory_id, revision)
$columns$, :partitions);

-- In how many live memories a term occurs. Written in sorted batches; a hint for ranking, never a truth.
SELECT make_tenant_table('term_stat', $columns$
    tenant_id uuid NOT NULL,
    term_id   int NOT NULL,
    memories  bigint NOT NULL,
    PRIMARY KEY (tenant_id, term_id)
$columns$, :partitions);

-- How many live memories there are and how many terms they hold together.
SELECT make_tenant_table('tenant_stat', $columns$
    tenant_id uuid NOT NULL,
    memories  bigint NOT NULL,
    terms     bigint NOT NULL,
    PRIMARY KEY (tenant_id)
$columns$, 0);

SELECT protect('term_stat'), protect('tenant_stat');
GRANT SELECT ON memory_lexical, memory_lexical_history, term_stat, tenant_stat TO candor_reader;
GRANT SELECT, INSERT, DELETE ON memory_lexical TO candor_writer;
GRANT SELECT, INSERT ON memory_lexical_history TO candor_writer;
GRANT SELECT, INSERT, UPDATE ON term_stat, tenant_stat TO candor_writer;

CREATE TABLE embedding_generation (
    generation int PRIMARY KEY,
    model      text NOT NULL,
    dimensions int NOT NULL,
    is_current boolean NOT NULL,
    UNIQUE (model, dimensions)
);
CREATE UNIQUE INDEX embedding_generation_current ON embedding_generation (is_current) WHERE is_current;
GRANT SELECT ON embedding_generation TO candor_reader, candor_writer;

-- Makes the tables of one embedding generation. Run by the migration step, never by a service. The first generation becomes the current one.
CREATE FUNCTION create_generation(generation int, model text, dimensions int, partitions int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    live text := 'memory_vector_g' || generation;
    history text := live || '_history';
BEGIN
    PERFORM make_tenant_table(live, format($columns$
        tenant_id  uuid NOT NULL,
        memory_id  uuid NOT NULL,
        passage_no int NOT NULL,
        char_start int NOT NULL,
        char_end   int NOT NULL,
        embedding  halfvec(%s) STORAGE PLAIN NOT NULL,
        PRIMARY KEY (tenant_id, memory_id, passage_no)
    $columns$, dimensions), partitions);
    EXECUTE format('CREATE INDEX %I ON %I USING hnsw (embedding halfvec_cosine_ops) WITH (m = 16, ef_construction = 64)', live || '_hnsw', live);
    PERFORM make_tenant_table(history, format($columns$
        tenant_id  uuid NOT NULL,
        memory_id  uuid NOT NULL,
        revision   int NOT NULL,
        passage_no int NOT NULL,
        char_start int NOT NULL,
        char_end   int NOT NULL,
        embedding  halfvec(%s) STORAGE PLAIN NOT NULL,
        PRIMARY KEY (tenant_id, memory_id, revision, passage_no)
    $columns$, dimensions), partitions);
    PERFORM protect(live), protect(history);
    EXECUTE format('GRANT SELECT ON %I, %I TO candor_reader', live, history);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO candor_writer', live);
    EXECUTE format('GRANT SELECT, INSERT ON %I TO candor_writer', history);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET STATISTICS 1000', live);
    INSERT INTO embedding_generation
    SELECT create_generation.generation, create_generation.model, create_generation.dimensions,
           NOT EXISTS (SELECT FROM embedding_generation AS other WHERE other.is_current);
END $$;
REVOKE ALL ON FUNCTION create_generation(int, text, int, int) FROM PUBLIC;

-- Memories that were accepted without vectors. Ids only, so that a worker may look across tenants.
CREATE TABLE pending_vector (
    tenant_id    uuid NOT NULL,
    memory_id    uuid NOT NULL,
    attempts     int NOT NULL DEFAULT 0,
    last_error   text,
    due_at       timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, memory_id)
);
CREATE INDEX pending_vector_due ON pending_vector (due_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_vector TO candor_writer;

DO $$
DECLARE name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['memory_lexical', 'term_stat'] LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET STATISTICS 1000', name);
    END LOOP;
END $$;
