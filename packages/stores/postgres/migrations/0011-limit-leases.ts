/**
 * The spending batch of a node that leases blocks of sites' limits (decision 0040). It is `spend_1`
 * (`0005-spend.ts`) with four differences:
 * - `leased` names the sites whose redemptions in this batch were counted before, when the node
 *   leased them, and how many it has leased and not used. They are judged like any others, against
 *   what others have used of the minute; that count is read, but neither locked nor written.
 * - `returned`: what the node did not use of a lease is subtracted again, before anything is
 *   judged.
 * - `wanted` names the sites that are judged exactly. Afterwards a block of their minute is counted
 *   for the node if all of it could be admitted at this moment; `granted` in the answer names the
 *   sites for which that was done.
 * - Two attempts on one token no longer wait for the lock of the same minute. So marks are inserted
 *   in the order of their keys, for sites with room for everything asked, where the order of
 *   arrival makes no difference.
 */
export const LEASE_FUNCTIONS = `
CREATE FUNCTION spend_leased_1(batch JSONB, generation TEXT) RETURNS JSON LANGUAGE plpgsql AS $$
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
  own BIGINT;
  by_key TEXT[];
  granted JSON;
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
  UPDATE rate_counts r SET count = greatest(r.count - l.unused, 0)
    FROM jsonb_to_recordset(batch -> 'returned') AS l (site TEXT, minute BIGINT, unused BIGINT)
    WHERE r.scope = 'redeemed:' || l.site AND r.minute = l.minute;
  by_key := ARRAY(SELECT l.site FROM jsonb_to_recordset(batch -> 'leased') AS l (site TEXT) UNION ALL
    SELECT l.site FROM jsonb_to_recordset(batch -> 'wanted')
        AS l (site TEXT, asked BIGINT, first BIGINT, now BIGINT, most BIGINT)
      JOIN rate_counts r ON r.scope = 'redeemed:' || l.site AND r.minute = l.first / 60000
      JOIN rate_counts b ON b.scope = 'redeemed:' || l.site AND b.minute = l.first / 60000 - 1
    WHERE l.first / 60000 = l.now / 60000
      AND (l.most - r.count - l.asked) * 60000 >= b.count * (60000 - l.first % 60000));

  SELECT swept_until_ms INTO horizon FROM sweep_horizons WHERE mark_table = 'token_marks';
  FOR item IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(batch -> 'redemptions') AS (site TEXT, revision BIGINT, id TEXT,
      until BIGINT, now BIGINT, most BIGINT, digest TEXT, repeat BOOLEAN))
      WITH ORDINALITY AS r (site, revision, id, until, now, most, digest, repeat, at)
    ORDER BY site COLLATE "C", CASE WHEN site = ANY (by_key) THEN until END,
      CASE WHEN site = ANY (by_key) THEN id END COLLATE "C", at
  LOOP
    IF 'redeemed:' || item.site IS DISTINCT FROM of_scope OR item.now / 60000 IS DISTINCT FROM of_minute THEN
      IF is_counted THEN
        UPDATE rate_counts r SET count = this_minute WHERE r.scope = of_scope AND r.minute = of_minute;
      END IF;
      of_scope := 'redeemed:' || item.site;
      of_minute := item.now / 60000;
      is_counted := FALSE;
      own := (SELECT l.unused FROM jsonb_to_recordset(batch -> 'leased') AS l (site TEXT, unused BIGINT)
        WHERE l.site = item.site);
      site_revision := (SELECT s.revision FROM sites s WHERE s.site_key = item.site);
      this_minute := coalesce((SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute), 0)
        - coalesce(own, 0);
      minute_before := coalesce((SELECT r.count FROM rate_counts r WHERE r.scope = of_scope AND r.minute = of_minute - 1), 0);
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
        is_counted := own IS NULL;
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

  WITH now_granted AS (
    UPDATE rate_counts r SET count = r.count + l.block
    FROM jsonb_to_recordset(batch -> 'wanted') AS l (site TEXT, revision BIGINT, now BIGINT, most BIGINT, block BIGINT)
      JOIN sites s ON s.site_key = l.site AND s.revision = l.revision
      JOIN rate_counts b ON b.scope = 'redeemed:' || l.site AND b.minute = l.now / 60000 - 1
    WHERE r.scope = 'redeemed:' || l.site AND r.minute = l.now / 60000
      AND (l.most - r.count - l.block) * 60000 >= b.count * (60000 - l.now % 60000)
    RETURNING l.site
  )
  SELECT coalesce(json_agg(site), '[]') INTO granted FROM now_granted;

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
    'challenges', challenge_kinds, 'granted', granted, 'ratesNow', rates_now, 'ratesBefore', rates_before);
END $$;
`;
