-- What the later migrations build with. Everything lives in schema candor, owned by candor_migrator.
-- :partitions is the number of hash partitions by tenant; 0 leaves tables whole (Citus shards them instead).

-- How a table is partitioned, as the tail of its CREATE TABLE.
CREATE FUNCTION make_tenant_table(name text, columns text, partitions int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I (%s)%s', name, columns, CASE WHEN partitions > 0 THEN ' PARTITION BY HASH (tenant_id)' ELSE '' END);
    FOR i IN 0 .. partitions - 1 LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)', name || '_p' || i, name, partitions, i);
    END LOOP;
END $$;

-- Row-level security, forced, on the table and on each partition. Partitions get no policy of their own: reached directly they show nothing.
CREATE FUNCTION protect(name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    part regclass;
    own text := 'tenant_id = current_setting(''candor.tenant'')::uuid';
BEGIN
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY tenant ON %I TO candor_writer, candor_reader USING (%s) WITH CHECK (%s)', name, own, own);
    -- FORCE binds the owner too: without this the migrator silently sees no row.
    EXECUTE format('CREATE POLICY owner ON %I TO candor_migrator USING (true) WITH CHECK (true)', name);
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = name::regclass LOOP
        EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', part);
        EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', part);
    END LOOP;
END $$;

-- These build tables: only their owner runs them.
REVOKE ALL ON FUNCTION make_tenant_table(text, text, int), protect(text) FROM PUBLIC;
