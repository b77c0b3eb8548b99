/**
 * Spent marks, limits, and service keys. Marks are in partitions by the time until which they are
 * needed, which the token or the challenge itself fixes. Rows with counts leave room on their page,
 * so that an update touches no index.
 */
export const SERVICE_TABLES = `
CREATE TABLE token_marks (
  keep_until_ms BIGINT NOT NULL,
  id BYTEA NOT NULL,
  spent_at_ms BIGINT NOT NULL,
  repeat_digest BYTEA,
  PRIMARY KEY (keep_until_ms, id)
) PARTITION BY RANGE (keep_until_ms);

CREATE TABLE challenge_marks (
  keep_until_ms BIGINT NOT NULL,
  id BYTEA NOT NULL,
  PRIMARY KEY (keep_until_ms, id)
) PARTITION BY RANGE (keep_until_ms);

CREATE TABLE sweep_horizons (mark_table TEXT PRIMARY KEY, swept_until_ms BIGINT NOT NULL);
INSERT INTO sweep_horizons (mark_table, swept_until_ms) VALUES ('token_marks', -1), ('challenge_marks', -1);

CREATE TABLE rate_counts (
  scope TEXT COLLATE "C" NOT NULL,
  minute BIGINT NOT NULL,
  count BIGINT NOT NULL,
  PRIMARY KEY (scope, minute)
) WITH (fillfactor = 50);
CREATE INDEX rate_counts_age ON rate_counts (minute);

-- is_retired: whatever the key sealed is from before a copy or a restore, and counts as expired.
CREATE TABLE service_keys (
  key_id BIGINT PRIMARY KEY,
  created_at_ms BIGINT NOT NULL,
  wrapped BYTEA NOT NULL,
  is_retired BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE heartbeat (id BIGINT PRIMARY KEY CHECK (id = 1), beats BIGINT NOT NULL) WITH (fillfactor = 10);
INSERT INTO heartbeat (id, beats) VALUES (1, 0);

CREATE TABLE turns (name TEXT PRIMARY KEY);
INSERT INTO turns (name) VALUES ('write'), ('first start');

-- The run of the database (postgres-generation-functions.ts).
-- noticed_ms: when it was last noticed that the database had been restored; what nodes remember from
-- before that no longer counts. newest_key_id: the greatest id of a service key ever made, so that a
-- lost key is noticed.
CREATE TABLE generations (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  engine TEXT NOT NULL,
  number BIGINT NOT NULL DEFAULT 0,
  seen_ms BIGINT NOT NULL DEFAULT 0,
  noticed_ms BIGINT NOT NULL DEFAULT 0,
  newest_key_id BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
`;
