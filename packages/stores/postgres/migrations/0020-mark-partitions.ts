/**
 * The partitions of what was spent that the service made: one that somebody else dropped, detached
 * or put back is noticed, and so is a removal of rows (decision 0113). Only those whose time is not
 * over count: nothing of an earlier one is accepted any more, and nodes of the version before drop
 * those without a word here.
 */
export const MARK_PARTITIONS = `
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

-- The service removes whole partitions, never rows. No node spends anything after this until it has looked. Whoever removes
-- them may look for tables elsewhere.
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

CREATE FUNCTION make_partitions_2(marks TEXT, from_ms BIGINT, until_ms BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
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
      RAISE EXCEPTION 'what was spent is missing: somebody removed %', made USING ERRCODE = 'ST003';
    END IF;
    IF NOT EXISTS (SELECT FROM mark_partitions m WHERE m.name = made) THEN
      PERFORM make_partitions_1(marks, number * width, number * width);
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

SELECT note_partitions_1();
SELECT watch_removals_1(name) FROM mark_partitions;
SELECT watch_removals_1(marks) FROM unnest(ARRAY['token_marks', 'challenge_marks']) AS marks;
`;
