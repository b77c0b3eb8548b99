/**
 * Partitions of what was spent, a quarter of an hour each, named by their number since the epoch.
 * They are created and attached under a lock that does not conflict with spending, and removed
 * under one that waits for every batch under way (`0005`). Nothing is deleted row by row, so they
 * need no vacuum.
 */
export const PARTITION_FUNCTIONS = `
CREATE FUNCTION make_partitions_1(marks TEXT, from_ms BIGINT, until_ms BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  width CONSTANT BIGINT := 900000;
  number BIGINT := from_ms / width;
BEGIN
  EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', marks);
  WHILE number * width <= until_ms LOOP
    IF to_regclass(format('%I', marks || '_' || number)) IS NULL THEN
      EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING INDEXES) WITH (autovacuum_enabled = false)',
        marks || '_' || number, marks);
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        marks, marks || '_' || number, number * width, (number + 1) * width);
    END IF;
    number := number + 1;
  END LOOP;
END $$;

-- Raises the horizon over all that may be forgotten; answers how many. The horizon is the greatest time that was remembered and
-- is over, not now: a clock that jumped ahead must not refuse what is issued when it is back.
CREATE FUNCTION sweep_1(marks TEXT, now_ms BIGINT) RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE
  swept BIGINT;
  newest BIGINT;
  horizon BIGINT;
BEGIN
  SELECT swept_until_ms INTO horizon FROM sweep_horizons WHERE mark_table = marks FOR UPDATE;
  EXECUTE format('SELECT count(*), max(keep_until_ms) FROM %I WHERE keep_until_ms > $1 AND keep_until_ms <= $2', marks)
    INTO swept, newest USING horizon, now_ms;
  IF swept > 0 THEN
    UPDATE sweep_horizons SET swept_until_ms = newest WHERE mark_table = marks;
  END IF;
  RETURN swept;
END $$;

CREATE FUNCTION partitions_1(marks TEXT) RETURNS TABLE (name TEXT, end_ms BIGINT) LANGUAGE sql STABLE AS $$
  SELECT c.relname::TEXT, (substring(c.relname FROM '[0-9]+$')::BIGINT + 1) * 900000
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = format('%I', marks)::REGCLASS;
$$;

-- Removes a partition in which nothing is younger than the horizon; answers whether it did.
CREATE FUNCTION drop_partition_1(marks TEXT, partition TEXT) RETURNS BOOLEAN LANGUAGE plpgsql AS $$
DECLARE
  newest BIGINT;
BEGIN
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', marks);
  IF to_regclass(format('%I', partition)) IS NULL THEN RETURN FALSE; END IF;
  EXECUTE format('SELECT max(keep_until_ms) FROM %I', partition) INTO newest;
  IF newest > (SELECT swept_until_ms FROM sweep_horizons WHERE mark_table = marks) THEN RETURN FALSE; END IF;
  EXECUTE format('DROP TABLE %I', partition);
  RETURN TRUE;
END $$;
`;
