/**
 * The tables, with the names and meanings of those in SQLite (`../../sqlite/migrations`). Text is
 * compared by its bytes, whatever the database's collation. What was spent lies in partitions by
 * the time until which it is remembered, which is fixed by the token's or the challenge's own seal.
 * Rows that hold counts leave room on their page, so that an update touches no index.
 */
export const FIRST_TABLES = `
CREATE TABLE accounts (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  created_at_ms BIGINT NOT NULL,
  challenge_per_minute BIGINT,
  total_per_minute BIGINT,
  over_limit TEXT CHECK (over_limit IN ('refuse', 'work')),
  demands_second_factor BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE sites (
  site_key TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id),
  name TEXT COLLATE "C" NOT NULL,
  created_at_ms BIGINT NOT NULL,
  deleted_at_ms BIGINT,
  revision BIGINT NOT NULL,
  settings JSONB NOT NULL
);
CREATE UNIQUE INDEX sites_living_name ON sites (account_id, name) WHERE deleted_at_ms IS NULL;
CREATE INDEX sites_account ON sites (account_id);

CREATE TABLE secret_keys (
  digest TEXT COLLATE "C" PRIMARY KEY,
  site_key TEXT COLLATE "C" NOT NULL REFERENCES sites (site_key) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  last_four TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  replaced_at_ms BIGINT
);
CREATE INDEX secret_keys_site ON secret_keys (site_key, position);

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

CREATE TABLE generations (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  engine TEXT NOT NULL,
  seen_ms BIGINT NOT NULL DEFAULT 0
) WITH (fillfactor = 10);
`;
