/** Members with their passkeys, sessions, links, and the audit log, as in SQLite. */
export const ACCOUNT_TABLES = `
CREATE TABLE members (
  user_id TEXT COLLATE "C" PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (account_id),
  email TEXT COLLATE "C" NOT NULL UNIQUE,
  name TEXT COLLATE "C" NOT NULL,
  role TEXT NOT NULL,
  password_hash TEXT,
  totp_secret BYTEA,
  totp_last_step BIGINT,
  recovery_codes TEXT NOT NULL DEFAULT '[]',
  created_at_ms BIGINT NOT NULL,
  last_sign_in_at_ms BIGINT,
  revision BIGINT NOT NULL
);
CREATE INDEX members_account ON members (account_id, name);

CREATE TABLE passkeys (
  passkey_id TEXT COLLATE "C" PRIMARY KEY,
  user_id TEXT COLLATE "C" NOT NULL REFERENCES members (user_id) ON DELETE CASCADE,
  position BIGINT NOT NULL,
  name TEXT NOT NULL,
  public_key BYTEA NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  last_used_at_ms BIGINT
);
CREATE INDEX passkeys_member ON passkeys (user_id, position);

CREATE TABLE sessions (
  session_id TEXT COLLATE "C" PRIMARY KEY,
  token_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  user_id TEXT COLLATE "C" NOT NULL,
  created_at_ms BIGINT NOT NULL,
  last_seen_at_ms BIGINT NOT NULL,
  proven_at_ms BIGINT NOT NULL,
  device TEXT NOT NULL
);
CREATE INDEX sessions_member ON sessions (user_id);

-- made_by: the member who made the link; NULL for a link that the operator made.
CREATE TABLE links (
  link_id TEXT COLLATE "C" PRIMARY KEY,
  token_digest TEXT COLLATE "C" NOT NULL UNIQUE,
  purpose TEXT NOT NULL,
  account_id TEXT COLLATE "C" NOT NULL,
  user_id TEXT COLLATE "C",
  role TEXT NOT NULL,
  removes_second_factors BOOLEAN NOT NULL DEFAULT FALSE,
  tries BIGINT NOT NULL DEFAULT 0,
  made_by TEXT,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL
);
CREATE INDEX links_account ON links (account_id, created_at_ms);
CREATE INDEX links_member ON links (user_id);

-- change_digest: identifies a change that a dashboard may send again because the answer was lost.
CREATE TABLE audit_entries (
  entry_id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id TEXT COLLATE "C" NOT NULL,
  at_ms BIGINT NOT NULL,
  actor_user_id TEXT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  site_key TEXT,
  changes TEXT NOT NULL,
  change_digest TEXT
);
CREATE INDEX audit_entries_account ON audit_entries (account_id, entry_id);
CREATE INDEX audit_entries_age ON audit_entries (at_ms);
CREATE INDEX audit_entries_change ON audit_entries (change_digest) WHERE change_digest IS NOT NULL;
`;
