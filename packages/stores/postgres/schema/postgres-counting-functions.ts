/**
 * How counts are written.
 *
 * `metrics` lists each counted metric once, with its kind and name. If visitors choose a part of
 * the name, `chosen` is that part and `rest` is what follows it. `counted` has the counts: site,
 * number of the metric, start of the minute, count. The rules of `cardinality-limit.ts` decide
 * which names are counted separately; the contract suite and a property test compare the two. All
 * functions lock rows in one order: days, names, statistics, blocks, each by key.
 */
export const COUNTING_FUNCTIONS = `
CREATE FUNCTION is_own_host_1(own_site_key TEXT, kind TEXT, host TEXT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
  SELECT kind = 'host' AND EXISTS (SELECT FROM sites, jsonb_array_elements_text(sites.settings -> 'domains') AS domain
    WHERE sites.site_key = own_site_key AND host IN (domain, 'www.' || domain));
$$;

CREATE FUNCTION chosen_name_1(kind TEXT, name TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind WHEN 'score' THEN regexp_replace(name, ':[^:]*$', '') ELSE name END;
$$;

-- Locks a day of a site and kind. For the first request of the day, names that already have a row that day keep their place,
-- and 15 more places are reserved: eight for the names seen on most of the seven days before, seven for those of the rest with
-- the largest share.
CREATE FUNCTION open_day_1(day_site_key TEXT, day_kind TEXT, day_ms BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM statistic_days d WHERE d.site_key = day_site_key AND d.kind = day_kind AND d.start_ms = day_ms FOR UPDATE;
  IF FOUND THEN RETURN; END IF;
  INSERT INTO statistic_days (site_key, kind, start_ms) VALUES (day_site_key, day_kind, day_ms) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    PERFORM FROM statistic_days d WHERE d.site_key = day_site_key AND d.kind = day_kind AND d.start_ms = day_ms FOR UPDATE;
    RETURN;
  END IF;
  INSERT INTO statistic_names (site_key, kind, start_ms, name, state)
    SELECT day_site_key, day_kind, day_ms, chosen,
      CASE WHEN is_own_host_1(day_site_key, day_kind, chosen) THEN 'own' ELSE 'placed' END
    FROM (SELECT DISTINCT chosen_name_1(day_kind, s.name) AS chosen FROM statistics s
      WHERE s.site_key = day_site_key AND s.resolution = 'day' AND s.kind = day_kind AND s.start_ms = day_ms) AS present
    WHERE chosen NOT IN ('', 'other');
  INSERT INTO statistic_names (site_key, kind, start_ms, name, state)
    WITH past AS (
      SELECT chosen_name_1(day_kind, s.name) AS chosen, s.start_ms, sum(s.count) AS count,
        sum(sum(s.count)) OVER (PARTITION BY s.start_ms) AS total
      FROM statistics s
      WHERE s.site_key = day_site_key AND s.resolution = 'day' AND s.kind = day_kind
        AND s.start_ms >= day_ms - 7 * 86400000::BIGINT AND s.start_ms < day_ms
      GROUP BY 1, 2
    ), used AS (
      SELECT chosen, count(*) AS days, sum(count) AS count, sum(LEAST(50000, div(1000000 * count, total))) AS share
      FROM past
      WHERE chosen NOT IN ('', 'other') AND NOT is_own_host_1(day_site_key, day_kind, chosen)
      GROUP BY chosen HAVING count(*) > 1 OR bool_or(start_ms = day_ms - 86400000)
    ), ranked AS (
      SELECT *, row_number() OVER (ORDER BY days DESC, count DESC, chosen COLLATE "C") AS by_days FROM used
    )
    SELECT day_site_key, day_kind, day_ms, chosen, 'awaited' FROM (
      SELECT chosen FROM ranked WHERE by_days <= 8
      UNION ALL
      (SELECT chosen FROM ranked WHERE by_days > 8 ORDER BY share DESC, count DESC, chosen COLLATE "C" LIMIT 7)
    ) AS reserved
  ON CONFLICT DO NOTHING;
END $$;

-- Gives a name a place if there is one for it; the day must be open.
CREATE FUNCTION place_name_1(day_site_key TEXT, day_kind TEXT, day_ms BIGINT, chosen TEXT) RETURNS VOID
LANGUAGE plpgsql AS $$
DECLARE
  taken BIGINT;
BEGIN
  IF is_own_host_1(day_site_key, day_kind, chosen) THEN
    INSERT INTO statistic_names (site_key, kind, start_ms, name, state)
      VALUES (day_site_key, day_kind, day_ms, chosen, 'own')
      ON CONFLICT (site_key, kind, start_ms, name) DO UPDATE SET state = 'own';
    RETURN;
  END IF;
  UPDATE statistic_names n SET state = 'placed' WHERE n.site_key = day_site_key AND n.kind = day_kind
    AND n.start_ms = day_ms AND n.name = chosen;
  IF FOUND THEN RETURN; END IF;
  SELECT count(*) INTO taken FROM statistic_names n
    WHERE n.site_key = day_site_key AND n.kind = day_kind AND n.start_ms = day_ms AND n.state <> 'own';
  IF taken < 20 THEN
    INSERT INTO statistic_names (site_key, kind, start_ms, name, state)
      VALUES (day_site_key, day_kind, day_ms, chosen, 'placed');
  END IF;
END $$;

CREATE FUNCTION count_1(counted JSONB, metrics JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
  unplaced RECORD;
  day RECORD;
BEGIN
  IF jsonb_array_length(counted) = 0 THEN RETURN; END IF;
  FOR day IN
    SELECT c.site, m.kind, c.start - c.start % 86400000 AS start,
      array_agg(m.chosen ORDER BY c.at) AS names
    FROM ROWS FROM (jsonb_to_recordset(counted) AS (site TEXT, metric BIGINT, start BIGINT, count BIGINT))
        WITH ORDINALITY AS c (site, metric, start, count, at)
      JOIN ROWS FROM (jsonb_to_recordset(metrics) AS (kind TEXT, name TEXT, chosen TEXT, rest TEXT))
        WITH ORDINALITY AS m (kind, name, chosen, rest, number) ON m.number = c.metric + 1
      JOIN sites ON sites.site_key = c.site
    WHERE m.chosen IS NOT NULL AND NOT EXISTS (SELECT FROM statistic_names n WHERE n.site_key = c.site
      AND n.kind = m.kind AND n.start_ms = c.start - c.start % 86400000 AND n.name = m.chosen AND n.state <> 'awaited')
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  LOOP
    PERFORM open_day_1(day.site, day.kind, day.start);
    FOR unplaced IN SELECT name FROM unnest(day.names) WITH ORDINALITY AS n (name, at) GROUP BY name ORDER BY min(at)
    LOOP
      PERFORM place_name_1(day.site, day.kind, day.start, unplaced.name);
    END LOOP;
  END LOOP;

  INSERT INTO statistics (site_key, resolution, kind, start_ms, name, count)
    SELECT c.site, period.resolution, m.kind, c.start - c.start % period.ms,
      CASE WHEN m.chosen IS NULL OR n.name IS NOT NULL THEN m.name ELSE 'other' || m.rest END, sum(c.count)
    FROM jsonb_to_recordset(counted) AS c (site TEXT, metric BIGINT, start BIGINT, count BIGINT)
      JOIN ROWS FROM (jsonb_to_recordset(metrics) AS (kind TEXT, name TEXT, chosen TEXT, rest TEXT))
        WITH ORDINALITY AS m (kind, name, chosen, rest, number) ON m.number = c.metric + 1
      JOIN sites ON sites.site_key = c.site
      CROSS JOIN (VALUES ('minute', 60000), ('hour', 3600000), ('day', 86400000)) AS period (resolution, ms)
      LEFT JOIN statistic_names n ON n.site_key = c.site AND n.kind = m.kind
        AND n.start_ms = c.start - c.start % 86400000 AND n.name = m.chosen AND n.state <> 'awaited'
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (site_key, resolution, kind, start_ms, name)
    DO UPDATE SET count = statistics.count + excluded.count;

  IF NOT metrics @> '[{"kind": "score"}]' THEN RETURN; END IF;
  INSERT INTO score_blocks (site_key, start_ms, name, count)
    SELECT c.site, c.start - c.start % 2764800000,
      CASE WHEN m.chosen IS NULL OR n.name IS NOT NULL THEN m.name ELSE 'other' || m.rest END, sum(c.count)
    FROM jsonb_to_recordset(counted) AS c (site TEXT, metric BIGINT, start BIGINT, count BIGINT)
      JOIN ROWS FROM (jsonb_to_recordset(metrics) AS (kind TEXT, name TEXT, chosen TEXT, rest TEXT))
        WITH ORDINALITY AS m (kind, name, chosen, rest, number) ON m.number = c.metric + 1
      JOIN sites ON sites.site_key = c.site
      LEFT JOIN statistic_names n ON n.site_key = c.site AND n.kind = m.kind
        AND n.start_ms = c.start - c.start % 86400000 AND n.name = m.chosen AND n.state <> 'awaited'
    WHERE m.kind = 'score'
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (site_key, start_ms, name) DO UPDATE SET count = score_blocks.count + excluded.count;
END $$;

-- Counts a batch unless this writer has counted it before. Its row is written first: while the same batch is still under way, a
-- copy of it waits for that row, and then finds the batch counted.
CREATE FUNCTION count_once_1(of_writer TEXT, of_number BIGINT, counted JSONB, metrics JSONB) RETURNS VOID LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO count_writers AS w (writer, number, at) VALUES (of_writer, of_number, clock_timestamp())
    ON CONFLICT (writer) DO UPDATE SET number = excluded.number, at = excluded.at WHERE w.number < excluded.number;
  IF FOUND THEN PERFORM count_1(counted, metrics); END IF;
END $$;
`;
