/**
 * Spent marks, limits, service keys, and the generation that wrote last.
 *
 * The primary key of a mark is the time until which it is kept, which follows from the token or
 * challenge, and then its decoded id (D3, single use). So marks made at about the same time are
 * next to each other: a commit writes few pages, and a sweep removes whole pages.
 */
export const SERVICE_TABLES = `
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

-- is_retired: whatever the key sealed is from before a copy or a restore, and counts as expired.
CREATE TABLE service_keys (
  key_id INTEGER PRIMARY KEY,
  created_at_ms INTEGER NOT NULL,
  wrapped BLOB NOT NULL,
  is_retired INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE heartbeat (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  beats INTEGER NOT NULL
) STRICT;
INSERT INTO heartbeat (id, beats) VALUES (1, 0);

-- Compared with a file next to the database (generation.ts).
-- seen_ms: the newest time that a server knew while it wrote; a later start never uses an earlier one.
-- moves_to: NULL before the first start, '' while the service runs on this file, else the database
-- that the installation is moved to; is_moved: that database surely has it (move-mark.ts).
-- newest_key_id: the greatest id of a service key ever made, so that a lost key is noticed.
CREATE TABLE generations (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  number INTEGER NOT NULL,
  file_identity TEXT NOT NULL,
  boot_id TEXT,
  is_stopped INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL DEFAULT 0,
  moves_to TEXT,
  is_moved INTEGER NOT NULL DEFAULT 0,
  newest_key_id INTEGER NOT NULL DEFAULT 0
) STRICT;
`;
