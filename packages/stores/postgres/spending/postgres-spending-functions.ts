/**
 * The spending batch: the rules of `single-use.ts`, in one call for many requests, in their order
 * of arrival.
 *
 * Locks are taken in one order everywhere (the tables of marks, the minutes of limits by key,
 * marks, statistics), so that two batches never deadlock. Two attempts on one token belong to one
 * site, so they queue at the same minutes.
 *
 * The tables are locked, weakly, before the horizon of the sweep is read; `drop_partition_1` needs
 * a lock that conflicts with this one. So a batch that reads an old horizon sees everything spent
 * before, and a batch after a removal reads the new horizon. Example: the newest mark of a
 * partition is kept until 12:14. Batch A locks the tables and reads the horizon 12:00, so the
 * removal waits for A. Batch B comes after the removal, reads the horizon 12:14, and refuses a
 * token kept until 12:10 although its mark is gone. A batch names the run of the database that its
 * node knows, and is undone if the run is another.
 *
 * `spend_all_1` is for the usual batch, in which everything is admitted and nothing was spent
 * before. It works on sets instead of in a loop, which takes a third of the time. In any other case
 * it does nothing and answers null. Then the batch must go to `spend_1`, which reports on each
 * item. Its `batch` has: `sites` with their revision; `limits`, one scope each, with the minute,
 * the smallest limit per minute, the earliest moment within the minute, and the number of requests;
 * `windows`, `counted` and `metrics` as `lock_windows_1` and `count_1` take them. For each of
 * `limits`, the answer has the counts before this batch: in this minute and in the one before.
 *
 * Outcomes of `spend_1`, a number each: 0 spent, 1 repeated, 2 already used, 3 not repeated, 4
 * limited, 5 site changed. With each come the counts of this minute and the one before, by which it
 * checked a limit.
 */
export const SPENDING_FUNCTIONS = `
CREATE FUNCTION lock_windows_1(windows JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  locked BIGINT;
BEGIN
  SELECT count(*) INTO locked FROM jsonb_to_recordset(windows) AS w (scope TEXT, minute BIGINT)
    JOIN rate_counts r ON r.scope = w.scope AND r.minute = w.minute;
  LOOP
    IF locked < jsonb_array_length(windows) THEN
      INSERT INTO rate_counts (scope, minute, count)
        SELECT w.scope, w.minute, 0 FROM jsonb_to_recordset(windows) AS w (scope TEXT, minute BIGINT)
        ORDER BY w.scope COLLATE "C", w.minute
        ON CONFLICT DO NOTHING;
    END IF;
    PERFORM FROM jsonb_to_recordset(windows) AS w (scope TEXT, minute BIGINT)
      JOIN rate_counts r ON r.scope = w.scope AND r.minute = w.minute
      ORDER BY r.scope, r.minute FOR UPDATE OF r;
    GET DIAGNOSTICS locked = ROW_COUNT;
    -- A sweep of a node whose clock is ahead may have removed one before it was locked.
    EXIT WHEN locked = jsonb_array_length(windows);
  END LOOP;
END $$;

CREATE FUNCTION spend_1(batch JSONB, generation TEXT) RETURNS JSON LANGUAGE plpgsql AS $$
DECLARE
  item RECORD;
  spent RECORD;
  of_scope TEXT;
  of_minute BIGINT;
  site_revision BIGINT;
  this_minute BIGINT := 0;
  minute_before BIGINT := 0;
  is_counted BOOLEAN := FALSE;
  is_admitted BOOLEAN;
  horizon BIGINT;
  kinds BIGINT[] := '{}';
  times BIGINT[] := '{}';
  counts_now BIGINT[] := '{}';
  counts_before BIGINT[] := '{}';
  challenge_kinds BIGINT[] := '{}';
  rates_now BIGINT[] := '{}';
  rates_before BIGINT[] := '{}';
  counted JSONB;
BEGIN
  IF generation IS NOT NULL AND generation IS DISTINCT FROM generation_1() THEN
    RAISE EXCEPTION 'the database is not the one that this node knows' USING ERRCODE = 'ST001';
  END IF;
  LOCK TABLE ONLY token_marks, ONLY challenge_marks IN ROW EXCLUSIVE MODE;
  PERFORM lock_windows_1(batch -> 'windows');

  SELECT swept_until_ms INTO horizon FROM sweep_horizons WHERE mark_table = 'token_marks';
  FOR item IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch -> 'redemptions') AS (site TEXT, revision BIGINT, id TEXT,
      until BIGINT, now BIGINT, most BIGINT, digest TEXT, repeat BOOLEAN))
      WITH ORDINALITY AS r (site, revision, id, until, now, most, digest, repeat, at)
    ORDER BY site COLLATE "C", at
  LOOP
    IF 'redeemed:' || item.site IS DISTINCT FROM of_scope OR item.now / 60000 IS DISTINCT FROM of_minute THEN
      IF is_counted THEN
        UPDATE rate_counts r SET count = this_minute WHERE r.scope = of_scope AND r.minute = of_minute;
      END IF;
      of_scope := 'redeemed:' || item.site;
      of_minute := item.now / 60000;
      is_counted := FALSE;
      site_revision := (SELECT s.revision FROM sites s WHERE s.site_key = item.site);
      this_minute := (SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute);
      minute_before := (SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute - 1);
    END IF;
    counts_now[item.at] := this_minute;
    counts_before[item.at] := minute_before;
    times[item.at] := item.now;
    IF site_revision IS DISTINCT FROM item.revision THEN
      kinds[item.at] := 5;
      CONTINUE;
    END IF;
    is_admitted := (item.most - this_minute) * 60000 - minute_before * (60000 - item.now % 60000) >= 60000;
    IF is_admitted AND NOT item.repeat AND item.until > horizon THEN
      INSERT INTO token_marks (keep_until_ms, id, spent_at_ms, repeat_digest)
        VALUES (item.until, decode(item.id, 'hex'), item.now, decode(item.digest, 'hex')) ON CONFLICT DO NOTHING;
      IF FOUND THEN
        kinds[item.at] := 0;
        this_minute := this_minute + 1;
        is_counted := TRUE;
        CONTINUE;
      END IF;
    END IF;
    SELECT m.spent_at_ms, m.repeat_digest INTO spent FROM token_marks m
      WHERE m.keep_until_ms = item.until AND m.id = decode(item.id, 'hex') AND m.keep_until_ms > horizon;
    IF FOUND AND spent.repeat_digest = decode(item.digest, 'hex') AND item.now - spent.spent_at_ms < 60000 THEN
      kinds[item.at] := 1;
      times[item.at] := spent.spent_at_ms;
    ELSIF item.repeat THEN
      kinds[item.at] := 3;
    -- Admitted, not found and yet not inserted: it may have been spent and swept.
    ELSIF spent.spent_at_ms IS NOT NULL OR is_admitted THEN
      kinds[item.at] := 2;
    ELSE
      kinds[item.at] := 4;
    END IF;
  END LOOP;
  IF is_counted THEN
    UPDATE rate_counts r SET count = this_minute WHERE r.scope = of_scope AND r.minute = of_minute;
  END IF;

  SELECT swept_until_ms INTO horizon FROM sweep_horizons WHERE mark_table = 'challenge_marks';
  FOR item IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch -> 'challenges') AS (site TEXT, revision BIGINT, id TEXT, until BIGINT))
      WITH ORDINALITY AS c (site, revision, id, until, at)
    ORDER BY until, id, at
  LOOP
    IF (SELECT s.revision FROM sites s WHERE s.site_key = item.site) IS DISTINCT FROM item.revision THEN
      challenge_kinds[item.at] := 5;
      CONTINUE;
    END IF;
    challenge_kinds[item.at] := 2;
    IF item.until > horizon THEN
      INSERT INTO challenge_marks (keep_until_ms, id) VALUES (item.until, decode(item.id, 'hex')) ON CONFLICT DO NOTHING;
      IF FOUND THEN challenge_kinds[item.at] := 0; END IF;
    END IF;
  END LOOP;

  of_scope := NULL;
  is_counted := FALSE;
  FOR item IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch -> 'rates') AS (scope TEXT, most BIGINT, now BIGINT))
      WITH ORDINALITY AS r (scope, most, now, at)
    ORDER BY scope COLLATE "C", at
  LOOP
    IF item.scope IS DISTINCT FROM of_scope OR item.now / 60000 IS DISTINCT FROM of_minute THEN
      IF is_counted THEN
        UPDATE rate_counts r SET count = this_minute WHERE r.scope = of_scope AND r.minute = of_minute;
      END IF;
      of_scope := item.scope;
      of_minute := item.now / 60000;
      is_counted := FALSE;
      this_minute := (SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute);
      minute_before := (SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute - 1);
    END IF;
    rates_now[item.at] := this_minute;
    rates_before[item.at] := minute_before;
    IF (item.most - this_minute) * 60000 - minute_before * (60000 - item.now % 60000) >= 60000 THEN
      this_minute := this_minute + 1;
      is_counted := TRUE;
    END IF;
  END LOOP;
  IF is_counted THEN
    UPDATE rate_counts r SET count = this_minute WHERE r.scope = of_scope AND r.minute = of_minute;
  END IF;

  -- What is counted comes in sets that many items share: sets is a list of lists of numbers of metrics.
  SELECT coalesce(jsonb_agg(jsonb_build_object('site', site, 'metric', metric, 'start', start, 'count', count)
    ORDER BY first_part, first_at, first_in_set), '[]') INTO counted
  FROM (
    SELECT done.site, in_set.metric::BIGINT AS metric, done.now - done.now % 60000 AS start, count(*) AS count,
      min(done.part) AS first_part, min(done.at) AS first_at, min(in_set.at) AS first_in_set
    FROM (
      SELECT 1 AS part, r.at, r.site, r.now, CASE kinds[r.at] WHEN 0 THEN r.spent WHEN 2 THEN r.replayed END AS set
      FROM ROWS FROM (jsonb_to_recordset(batch -> 'redemptions') AS (site TEXT, now BIGINT, spent INTEGER, replayed INTEGER))
        WITH ORDINALITY AS r (site, now, spent, replayed, at)
      UNION ALL
      SELECT 2, c.at, c.site, c.now, CASE challenge_kinds[c.at] WHEN 0 THEN c.spent END
      FROM ROWS FROM (jsonb_to_recordset(batch -> 'challenges') AS (site TEXT, now BIGINT, spent INTEGER))
        WITH ORDINALITY AS c (site, now, spent, at)
    ) AS done
    CROSS JOIN LATERAL jsonb_array_elements(batch -> 'sets' -> done.set) WITH ORDINALITY AS in_set (metric, at)
    WHERE done.set IS NOT NULL
    GROUP BY 1, 2, 3
  ) AS sums;
  PERFORM count_1(counted, batch -> 'metrics');

  RETURN json_build_object('kinds', kinds, 'times', times, 'now', counts_now, 'before', counts_before,
    'challenges', challenge_kinds, 'ratesNow', rates_now, 'ratesBefore', rates_before);
END $$;

CREATE FUNCTION spend_all_1(batch JSONB, generation TEXT, token_ids TEXT[], token_untils BIGINT[], token_nows BIGINT[],
  token_digests TEXT[], challenge_ids TEXT[], challenge_untils BIGINT[]) RETURNS JSON LANGUAGE plpgsql AS $$
DECLARE
  found_count BIGINT;
  counts_before JSON;
BEGIN
  IF generation IS NOT NULL AND generation IS DISTINCT FROM generation_1() THEN
    RAISE EXCEPTION 'the database is not the one that this node knows' USING ERRCODE = 'ST001';
  END IF;
  LOCK TABLE ONLY token_marks, ONLY challenge_marks IN ROW EXCLUSIVE MODE;
  IF batch -> 'windows' <> '[]' THEN PERFORM lock_windows_1(batch -> 'windows'); END IF;

  SELECT count(*) INTO found_count FROM jsonb_to_recordset(batch -> 'sites') AS asked (site TEXT, revision BIGINT)
    JOIN sites s ON s.site_key = asked.site AND s.revision = asked.revision;
  IF found_count < jsonb_array_length(batch -> 'sites') THEN RETURN NULL; END IF;

  SELECT count(*), json_agg(json_build_array(r.count, b.count) ORDER BY l.at) INTO found_count, counts_before
    FROM ROWS FROM (jsonb_to_recordset(batch -> 'limits')
        AS (scope TEXT, minute BIGINT, most BIGINT, elapsed BIGINT, asked BIGINT))
      WITH ORDINALITY AS l (scope, minute, most, elapsed, asked, at)
    JOIN rate_counts r ON r.scope = l.scope AND r.minute = l.minute
    JOIN rate_counts b ON b.scope = l.scope AND b.minute = l.minute - 1
    WHERE (l.most - r.count - l.asked + 1) * 60000 - b.count * (60000 - l.elapsed) >= 60000;
  IF found_count < jsonb_array_length(batch -> 'limits') THEN RETURN NULL; END IF;

  -- What was written before it is found that something was spent already is undone with this block.
  BEGIN
    INSERT INTO token_marks (keep_until_ms, id, spent_at_ms, repeat_digest)
      SELECT t.until, decode(t.id, 'hex'), t.now, decode(t.digest, 'hex')
      FROM unnest(token_ids, token_untils, token_nows, token_digests) AS t (id, until, now, digest)
      WHERE t.until > (SELECT swept_until_ms FROM sweep_horizons WHERE mark_table = 'token_marks')
      ORDER BY t.until, t.id COLLATE "C"
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS found_count = ROW_COUNT;
    IF found_count < cardinality(token_ids) THEN RAISE SQLSTATE 'ST002'; END IF;

    IF cardinality(challenge_ids) > 0 THEN
      INSERT INTO challenge_marks (keep_until_ms, id)
        SELECT c.until, decode(c.id, 'hex') FROM unnest(challenge_ids, challenge_untils) AS c (id, until)
        WHERE c.until > (SELECT swept_until_ms FROM sweep_horizons WHERE mark_table = 'challenge_marks')
        ORDER BY c.until, c.id COLLATE "C"
      ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS found_count = ROW_COUNT;
      IF found_count < cardinality(challenge_ids) THEN RAISE SQLSTATE 'ST002'; END IF;
    END IF;
  EXCEPTION WHEN SQLSTATE 'ST002' THEN
    RETURN NULL;
  END;

  UPDATE rate_counts r SET count = r.count + l.asked
    FROM jsonb_to_recordset(batch -> 'limits') AS l (scope TEXT, minute BIGINT, asked BIGINT)
    WHERE r.scope = l.scope AND r.minute = l.minute;
  PERFORM count_1(batch -> 'counted', batch -> 'metrics');
  RETURN coalesce(counts_before, '[]');
END $$;
`;
