/**
 * Statistics by minute, hour and day, and the latest decisions of each site. The index
 * `statistics_age` finds old periods; counting in an existing row does not change it.
 *
 * `score_blocks` sums up scored solutions by action and score over blocks of 32 days. There are up
 * to 21 actions with 101 scores a day, so adding up 13 months of single days would take longer than
 * a page may.
 */
export const STATISTICS_TABLES = `
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

CREATE TABLE score_blocks (
  site_key TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (site_key, start_ms, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX score_blocks_age ON score_blocks (start_ms);

CREATE TABLE decisions (
  site_key TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  request_id TEXT NOT NULL,
  recommendation TEXT NOT NULL,
  label TEXT,
  detail TEXT NOT NULL,
  PRIMARY KEY (site_key, decision_id)
) STRICT, WITHOUT ROWID;
`;
