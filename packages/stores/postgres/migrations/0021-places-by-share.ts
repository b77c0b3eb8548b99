/**
 * Reserves the places of a day as `cardinality-limit.ts` does: eight for the names seen on most of
 * the seven days before, seven for those of the rest with the largest share. Whoever sent 20 names
 * once a day took all places from names that come on weekdays alone. It replaces a function, as
 * those that spend call it by this name; nodes of the version before call it once a day as well,
 * and take the places as they find them.
 */
export const PLACES_BY_SHARE = `
CREATE OR REPLACE FUNCTION open_day_1(day_site_key TEXT, day_kind TEXT, day_ms BIGINT) RETURNS VOID LANGUAGE plpgsql AS $$
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
`;
