-- Uploads of any size: how far each one is, and vectors that wait for the graph while they are searched exactly.

-- How many terms a memory has, repetitions counted: what the average length is recounted from. Null: written before this column.
ALTER TABLE memory_lexical ADD COLUMN length int;

SELECT make_tenant_table('memory_import', $columns$
    tenant_id  uuid NOT NULL,
    import_id  text COLLATE "C" NOT NULL,
    mode       text COLLATE "C" NOT NULL,
    actor      text NOT NULL,
    lines      bigint NOT NULL,                   -- dealt with; an upload goes on with the next
    written    bigint NOT NULL,
    existing   bigint NOT NULL,
    failed     bigint NOT NULL,
    errors     json NOT NULL,                     -- of the first lines that failed
    started_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, import_id)
$columns$, :partitions);

SELECT protect('memory_import');
GRANT SELECT, INSERT, UPDATE ON memory_import TO candor_writer;

-- Makes the table of a generation's vectors that are not in its graph yet: without an index on them, searched whole. A job moves them over;
-- a vector is in one of the two tables, in every snapshot.
CREATE FUNCTION create_staging(generation int, dimensions int, partitions int) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    staging text := 'memory_vector_g' || generation || '_staging';
BEGIN
    PERFORM make_tenant_table(staging, format($columns$
        tenant_id  uuid NOT NULL,
        memory_id  uuid NOT NULL,
        passage_no int NOT NULL,
        char_start int NOT NULL,
        char_end   int NOT NULL,
        embedding  halfvec(%s) STORAGE PLAIN NOT NULL,
        PRIMARY KEY (tenant_id, memory_id, passage_no)
    $columns$, dimensions), partitions);
    PERFORM protect(staging);
    EXECUTE format('GRANT SELECT ON %I TO candor_reader', staging);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO candor_writer', staging);
    EXECUTE format('ALTER TABLE %I ALTER COLUMN tenant_id SET STATISTICS 1000', staging);
END $$;

-- As before, and with its staging table. Run by the migration step, never by a service. The first generation becomes the current one.
CREATE OR REPLACE FUNCTION create_generation(generation int, model text, dimensions int, partitions int) RETURNS void LANGUAGE plpgsql AS $$
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
    PERFORM create_staging(generation, dimensions, partitions);
END $$;
REVOKE ALL ON FUNCTION create_staging(int, int, int) FROM PUBLIC;

SELECT create_staging(generation, dimensions, :partitions) FROM embedding_generation;
