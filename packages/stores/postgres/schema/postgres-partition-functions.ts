/**
 * Partitions of spent marks. Each covers 15 minutes and is named by its number since the epoch.
 * They are created and attached under a lock that does not conflict with spending, and removed
 * under one that waits for every running batch. No row is deleted one by one, so they need no
 * vacuum.
 *
 * `mark_partitions` lists the partitions that the service created. So the service notices if
 * somebody drops, detaches or restores one, or removes rows. Only partitions whose time is not over
 * count, because nothing of an earlier one is accepted any more.
 */
export const PARTITION_FUNCTIONS = `
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

-- Removes a partition in which nothing is younger than the horizon; answers whether it did. It is one call, so that a node that
-- freezes meanwhile does not hold up the others.
CREATE FUNCTION drop_partition_1(marks TEXT, partition TEXT) RETURNS BOOLEAN LANGUAGE plpgsql
SET lock_timeout = '100ms' AS $$
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

-- partition: 0 if rows of it were removed.
CREATE TABLE mark_partitions (
  name TEXT COLLATE "C" PRIMARY KEY,
  partition OID NOT NULL,
  until_ms BIGINT NOT NULL
);

-- Takes the partitions as they are.
CREATE FUNCTION note_partitions_1() RETURNS VOID LANGUAGE sql VOLATILE AS $$
  DELETE FROM mark_partitions;
  INSERT INTO mark_partitions SELECT p.name, to_regclass(p.name), p.end_ms
    FROM unnest(ARRAY['token_marks', 'challenge_marks']) AS marks, partitions_1(marks) AS p WHERE p.end_ms IS NOT NULL
    ON CONFLICT DO NOTHING;
$$;

CREATE FUNCTION are_marks_lost_1() RETURNS BOOLEAN LANGUAGE sql VOLATILE AS $$
  SELECT EXISTS (
    SELECT FROM mark_partitions m WHERE m.until_ms > extract(epoch FROM clock_timestamp()) * 1000
      AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = m.partition)
  );
$$;

-- The service removes whole partitions, never rows, so another program removed these. No node spends anything until it
-- has noticed. That program's search path may differ, so the names below have their schema.
CREATE FUNCTION note_removal_1() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('UPDATE %I.mark_partitions SET partition = 0', TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %I.generations SET number = number + 1', TG_TABLE_SCHEMA);
  RETURN NULL;
END $$;

CREATE FUNCTION watch_removals_1(marks TEXT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE TRIGGER note_removal AFTER DELETE OR TRUNCATE ON %I EXECUTE FUNCTION note_removal_1()', marks);
END $$;

CREATE FUNCTION make_partitions_1(marks TEXT, from_ms BIGINT, until_ms BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  width CONSTANT BIGINT := 900000;
  number BIGINT := from_ms / width;
  made TEXT;
BEGIN
  EXECUTE format('LOCK TABLE ONLY %I IN SHARE UPDATE EXCLUSIVE MODE', marks);
  DELETE FROM mark_partitions m WHERE m.until_ms <= extract(epoch FROM clock_timestamp()) * 1000;
  WHILE number * width <= until_ms LOOP
    made := marks || '_' || number;
    IF to_regclass(made) IS NULL AND EXISTS (SELECT FROM mark_partitions m WHERE m.name = made) THEN
      RAISE EXCEPTION 'spent marks are missing: somebody removed %', made USING ERRCODE = 'ST003';
    END IF;
    IF NOT EXISTS (SELECT FROM mark_partitions m WHERE m.name = made) THEN
      IF to_regclass(made) IS NULL THEN
        EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING INDEXES) WITH (autovacuum_enabled = false)', made, marks);
      END IF;
      PERFORM watch_removals_1(made);
      INSERT INTO mark_partitions VALUES (made, to_regclass(made), (number + 1) * width) ON CONFLICT DO NOTHING;
    END IF;
    -- One that somebody detached is needed where it was.
    IF NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhrelid = to_regclass(made)) THEN
      EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
        marks, made, number * width, (number + 1) * width);
    END IF;
    number := number + 1;
  END LOOP;
END $$;

SELECT watch_removals_1(marks) FROM unnest(ARRAY['token_marks', 'challenge_marks']) AS marks;
`;
