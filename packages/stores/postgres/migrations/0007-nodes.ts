/**
 * What nodes tell each other, kept for a minute. The table is unlogged: so it is fast, is in no
 * backup, and is empty after the engine crashed. And the keys under which nodes count addresses,
 * each removed a day after its own day.
 */
export const NODE_TABLES = `
CREATE UNLOGGED TABLE node_entries (
  node TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
  entries TEXT NOT NULL,
  PRIMARY KEY (node, number)
);
CREATE INDEX node_entries_age ON node_entries (at);

CREATE TABLE day_keys (day BIGINT PRIMARY KEY, wrapped BYTEA NOT NULL);
`;
