/**
 * Accounts and their sites, with the names and meanings of those in SQLite (`../../sqlite/schema`).
 * Text is compared by its bytes, whatever the database's collation.
 */
export const SITE_TABLES = `
CREATE TABLE accounts (
  account_id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  created_at_ms BIGINT NOT NULL,
  challenge_per_minute BIGINT,
  total_per_minute BIGINT,
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

CREATE TABLE key_usage (digest TEXT COLLATE "C" PRIMARY KEY, last_used_at_ms BIGINT NOT NULL);
`;
