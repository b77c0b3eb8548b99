/**
 * Members with their passkeys, sessions, links, and the audit log. Sessions and links name their
 * member without a foreign key. A row that arrives just after its member was removed is harmless,
 * but a foreign key would fail every other write of its transaction.
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
  recovery_codes TEXT NOT NULL DEFAULT '[]',
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

-- made_by: the member who made the link; NULL for a link that the operator made.
CREATE TABLE links (
  link_id TEXT PRIMARY KEY,
  token_digest TEXT NOT NULL UNIQUE,
  purpose TEXT NOT NULL,
  account_id TEXT NOT NULL,
  user_id TEXT,
  role TEXT NOT NULL,
  removes_second_factors INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  made_by TEXT,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX links_account ON links (account_id, created_at_ms);
CREATE INDEX links_member ON links (user_id);

-- change_digest: identifies a change that a dashboard may send again because the answer was lost.
CREATE TABLE audit_entries (
  entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  actor_user_id TEXT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  site_key TEXT,
  changes TEXT NOT NULL,
  change_digest TEXT
) STRICT;
CREATE INDEX audit_entries_account ON audit_entries (account_id, entry_id);
CREATE INDEX audit_entries_age ON audit_entries (at_ms);
CREATE INDEX audit_entries_change ON audit_entries (change_digest) WHERE change_digest IS NOT NULL;
`;
