/**
 * The run of the database (`../engine/postgres-generation.ts`): the engine that writes, and how
 * often service keys were retired because the run changed. The engine is its cluster, its timeline
 * and the database. The timeline comes from the name of the log file, which a promoted standby
 * changes immediately.
 *
 * `current_run_1` is the run at that moment. It is also null if marks were removed, or if rows of
 * nodes were restored or removed. Each batch calls it after its writes, so it is a single function
 * in PL/pgSQL. A session keeps its plan, while functions in SQL are planned at each call.
 */
export const GENERATION_FUNCTIONS = `
CREATE FUNCTION engine_1() RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::BIT(32)::INTEGER,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
$$;

-- Null while nobody has looked after the engine changed.
CREATE FUNCTION generation_1() RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT engine || '/' || number FROM generations WHERE engine = engine_1();
$$;

CREATE FUNCTION current_run_1() RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT g.engine || '/' || g.number FROM generations g
    WHERE g.engine = concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
        ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::BIT(32)::INTEGER,
        (SELECT oid FROM pg_database WHERE datname = current_database()))
      AND EXISTS (SELECT FROM nodes)
      AND NOT EXISTS (SELECT FROM nodes n WHERE n.xmin::TEXT <> n.xid)
      AND NOT EXISTS (SELECT FROM mark_partitions m WHERE m.until_ms > extract(epoch FROM clock_timestamp()) * 1000
        AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = m.partition)));
END $$;
`;
