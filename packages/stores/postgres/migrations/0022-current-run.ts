/**
 * The run of the database as it is at that moment: what `generation_1` tells (`0008`), but null
 * also where marks were removed (`0020`), or rows of nodes put back or removed (decision 0038).
 * Each batch asks behind its writes, so it is one function whose plan a session keeps; functions in
 * SQL are planned at each call.
 */
export const CURRENT_RUN_FUNCTION = `
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
