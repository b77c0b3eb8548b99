/**
 * Scenes to be laid out, with each engine's answers: secret, compressed JSON; the newest bank has
 * the greatest number.
 */
export const LAYOUT_TABLES = `
CREATE TABLE layout_banks (
  bank_id BIGINT PRIMARY KEY,
  version BIGINT NOT NULL,
  baked_at_ms BIGINT NOT NULL,
  content BYTEA NOT NULL
);
`;
