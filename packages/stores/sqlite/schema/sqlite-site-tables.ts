/**
 * Accounts and their sites. Times are epoch ms, here and in every table. Fields of a site that no
 * query filters by are in `settings` as JSON.
 */
export const SITE_TABLES = `
CREATE TABLE accounts (
  account_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  challenge_per_minute INTEGER,
  total_per_minute INTEGER,
  demands_second_factor INTEGER NOT NULL DEFAULT 0
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

CREATE TABLE key_usage (
  digest TEXT PRIMARY KEY,
  last_used_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
