/**
 * Statistics as in SQLite, the log of decisions, and the visitor-chosen names that are counted
 * separately. All nodes share the places of a day, so the database decides which names get a place
 * (`postgres-counting-functions.ts`).
 *
 * `count_writers` has the number of each process's last batch of counts, written in the same
 * transaction. If a process sends a batch again because its outcome was unknown, the database
 * recognises it.
 */
export const STATISTICS_TABLES = `
CREATE TABLE statistics (
  site_key TEXT COLLATE "C" NOT NULL,
  resolution TEXT COLLATE "C" NOT NULL CHECK (resolution IN ('minute', 'hour', 'day')),
  kind TEXT COLLATE "C" NOT NULL,
  start_ms BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (site_key, resolution, kind, start_ms, name)
) WITH (fillfactor = 70);
CREATE INDEX statistics_age ON statistics (resolution, start_ms);

CREATE TABLE score_blocks (
  site_key TEXT COLLATE "C" NOT NULL,
  start_ms BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (site_key, start_ms, name)
) WITH (fillfactor = 70);
CREATE INDEX score_blocks_age ON score_blocks (start_ms);

CREATE TABLE statistic_days (
  site_key TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  start_ms BIGINT NOT NULL,
  PRIMARY KEY (site_key, kind, start_ms)
);
CREATE INDEX statistic_days_age ON statistic_days (start_ms);

CREATE TABLE statistic_names (
  site_key TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  start_ms BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('awaited', 'placed', 'own')),
  PRIMARY KEY (site_key, kind, start_ms, name),
  FOREIGN KEY (site_key, kind, start_ms) REFERENCES statistic_days ON DELETE CASCADE
);

CREATE TABLE decisions (
  site_key TEXT COLLATE "C" NOT NULL,
  decision_id TEXT COLLATE "C" NOT NULL,
  request_id TEXT COLLATE "C" NOT NULL,
  recommendation TEXT NOT NULL,
  label TEXT,
  detail JSON NOT NULL,
  PRIMARY KEY (site_key, decision_id)
);

CREATE TABLE count_writers (
  writer TEXT COLLATE "C" PRIMARY KEY,
  number BIGINT NOT NULL,
  at TIMESTAMPTZ NOT NULL
) WITH (fillfactor = 10);
`;
