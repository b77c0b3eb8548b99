/**
 * Members with their passkeys, sessions, links, the audit log. Sessions and links name their member
 * without a foreign key: one that arrives a moment after its member was removed harms nobody, but
 * with a foreign key it would fail every other write of its transaction.
 */
export const ACCOUNT_TABLES = `
CREATE TABLE members (
  user_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (account_id),
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT,
  totp_secret BLOB,
  totp_last_step INTEGER,
  created_at_ms INTEGER NOT NULL,
  last_sign_in_at_ms INTEGER,
  revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX members_account ON members (account_id, name);

CREATE TABLE passkeys (
  passkey_id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES members (user_id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  transports TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_used_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_member ON passkeys (user_id, position);

CREATE TABLE sessions (
  session_id TEXT PRIMARY KEY,
  token_digest TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  last_seen_at_ms INTEGER NOT NULL,
  proven_at_ms INTEGER NOT NULL,
  device TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_member ON sessions (user_id);

CREATE TABLE links (
  link_id TEXT PRIMARY KEY,
  token_digest TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL,
  account_id TEXT NOT NULL,
  user_id TEXT,
  role TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_account ON links (account_id, created_at_ms);
CREATE INDEX links_member ON links (user_id);

CREATE TABLE audit_entries (
  entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  actor_user_id TEXT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  site_key TEXT,
  changes TEXT NOT NULL
) STRICT;
CREATE INDEX audit_entries_account ON audit_entries (account_id, entry_id);
CREATE INDEX audit_entries_age ON audit_entries (at_ms);
`;
