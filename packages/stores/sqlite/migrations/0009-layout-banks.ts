/**
 * Scenes to be laid out, with each engine's answers: secret, compressed JSON; the newest bank has
 * the greatest number.
 */
export const LAYOUT_TABLES = `
CREATE TABLE layout_banks (
  bank_id INTEGER PRIMARY KEY,
  version INTEGER NOT NULL,
  baked_at_ms INTEGER NOT NULL,
  content BLOB NOT NULL
) STRICT;
`;
