/**
 * Statistics by minute, hour and day with separate kind and name, the latest decisions of each
 * site, and when secret keys were last used. Old rows existed by minute only, with scores that had
 * no action names; they are carried over. The index is for removing old periods; counting in an
 * existing row does not touch it.
 */
export const STATISTICS_TABLES = `
ALTER TABLE statistics RENAME TO minute_statistics;

CREATE TABLE statistics (
  site_key TEXT NOT NULL,
  resolution TEXT NOT NULL CHECK (resolution IN ('minute', 'hour', 'day')),
  kind TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (site_key, resolution, kind, start_ms, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX statistics_age ON statistics (resolution, start_ms);

INSERT INTO statistics (site_key, resolution, kind, start_ms, name, count)
  SELECT site_key, resolution,
    CASE instr(metric, ':') WHEN 0 THEN 'outcome' ELSE substr(metric, 1, instr(metric, ':') - 1) END AS kind,
    minute_start_ms - minute_start_ms % period_ms AS start_ms,
    CASE WHEN metric LIKE 'score:%' THEN substr(metric, instr(metric, ':'))
      ELSE substr(metric, instr(metric, ':') + 1) END AS name,
    sum(count)
  FROM minute_statistics
    CROSS JOIN (SELECT 'minute' AS resolution, 60000 AS period_ms
      UNION ALL SELECT 'hour', 3600000 UNION ALL SELECT 'day', 86400000)
  GROUP BY site_key, resolution, kind, start_ms, name;
DROP TABLE minute_statistics;

CREATE TABLE decisions (
  site_key TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  recommendation TEXT NOT NULL,
  label TEXT,
  detail TEXT NOT NULL,
  PRIMARY KEY (site_key, decision_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE key_usage (digest TEXT PRIMARY KEY, last_used_at_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
