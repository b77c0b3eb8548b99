/**
 * Judged solutions by action and score, summed up over blocks of 32 days: this kind has so many
 * names a day (21 actions with 101 scores each) that summing up 13 months of days would take longer
 * than a page may.
 */
export const SCORE_BLOCK_TABLES = `
CREATE TABLE score_blocks (
  site_key TEXT NOT NULL,
  start_ms INTEGER NOT NULL,
  name TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (site_key, start_ms, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX score_blocks_age ON score_blocks (start_ms);

INSERT INTO score_blocks (site_key, start_ms, name, count)
  SELECT site_key, start_ms - start_ms % 2764800000 AS block_start_ms, name, sum(count) FROM statistics
  WHERE resolution = 'day' AND kind = 'score' GROUP BY site_key, block_start_ms, name;
`;
