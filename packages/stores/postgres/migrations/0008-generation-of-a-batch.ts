/**
 * Which run of the database this is: the engine that writes (its cluster; its timeline, by the
 * log's own name, which a standby that took over has at once; and the database), and how often
 * service keys were retired because the run changed. A batch names the run by which its node
 * judged, and is undone if that is another.
 */
export const GENERATION_FUNCTIONS = `
ALTER TABLE generations ADD COLUMN number BIGINT NOT NULL DEFAULT 0;

CREATE FUNCTION engine_1() RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::BIT(32)::INTEGER,
    (SELECT oid FROM pg_database WHERE datname = current_database()));
$$;

-- Null while nobody has looked after the engine changed.
CREATE FUNCTION generation_1() RETURNS TEXT LANGUAGE sql VOLATILE AS $$
  SELECT engine || '/' || number FROM generations WHERE engine = engine_1();
$$;

CREATE FUNCTION spend_2(batch JSONB, generation TEXT) RETURNS JSON LANGUAGE plpgsql AS $$
BEGIN
  IF generation IS NOT NULL AND generation IS DISTINCT FROM generation_1() THEN
    RAISE EXCEPTION 'the database is not the one that this node knows' USING ERRCODE = 'ST001';
  END IF;
  RETURN spend_1(batch);
END $$;
`;
