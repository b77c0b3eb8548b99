/**
 * The usual batch, in which everything is admitted and nothing was spent before. It works on sets
 * instead of in a loop, which takes a third of the time of `spend_1`. In any other case it does
 * nothing and answers null; then the batch must go to `spend_2`, which reports on each item. Locks
 * are taken in the order of `0005`.
 *
 * `batch` has: `sites` with their revision; `limits`, one scope each, with the minute, the smallest
 * limit per minute, the earliest moment within the minute, and how many redemptions are asked for;
 * `windows`, `counted` and `metrics` as `lock_windows_1` and `count_1` take them. The answer has,
 * for each of `limits`, what was counted before this batch: in this minute and in the one before.
 *
 * This also adds a function that drops a partition in one call, so that a node that freezes
 * meanwhile does not hold up the others.
 */
export const SPENDING_AT_ONCE = `
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

CREATE FUNCTION drop_partition_2(marks TEXT, partition TEXT) RETURNS BOOLEAN LANGUAGE sql VOLATILE
SET lock_timeout = '100ms' AS $$
  SELECT drop_partition_1(marks, partition);
$$;
`;
