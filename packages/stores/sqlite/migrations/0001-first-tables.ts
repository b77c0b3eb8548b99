/**
 * Accounts, sites, marks, limits, statistics, service keys. Times are epoch ms. Parts of a site
 * that no query filters by are in `settings` as JSON. The key of a mark is the time until which it
 * is kept, which the id's token fixes, and then the decoded id (D3): marks made together lie
 * together, so that a commit writes few pages and a sweep removes whole ones.
 */
export const FIRST_TABLES = `
CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  challenge_per_minute INTEGER,
  reserve_per_minute INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE sites (
  site_key TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER,
  revision INTEGER NOT NULL,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sites_living_name ON sites (account_id, name) WHERE deleted_at_ms IS NULL;
CREATE INDEX sites_account ON sites (account_id);

CREATE TABLE secret_keys (
  digest TEXT PRIMARY KEY,
  site_key TEXT NOT NULL REFERENCES sites (site_key) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  last_four TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  replaced_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX secret_keys_site ON secret_keys (site_key, position);

CREATE TABLE token_marks (
  keep_until_ms INTEGER NOT NULL,
  id BLOB NOT NULL,
  spent_at_ms INTEGER NOT NULL,
  repeat_digest BLOB,
  PRIMARY KEY (keep_until_ms, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenge_marks (
  keep_until_ms INTEGER NOT NULL,
  id BLOB NOT NULL,
  PRIMARY KEY (keep_until_ms, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_horizons (
  mark_table TEXT PRIMARY KEY,
  swept_until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rate_counts (
  minute INTEGER NOT NULL,
  scope TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (minute, scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE statistics (
  site_key TEXT NOT NULL,
  minute_start_ms INTEGER NOT NULL,
  metric TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (site_key, minute_start_ms, metric)
) STRICT, WITHOUT ROWID;

CREATE TABLE service_keys (
  key_id INTEGER PRIMARY KEY,
  created_at_ms INTEGER NOT NULL,
  wrapped BLOB NOT NULL
) STRICT;

CREATE TABLE heartbeat (id INTEGER PRIMARY KEY CHECK (id = 1), beats INTEGER NOT NULL) STRICT;
INSERT INTO heartbeat (id, beats) VALUES (1, 0);
`;
