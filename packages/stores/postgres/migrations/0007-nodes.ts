/**
 * What nodes tell each other, for a minute; without a log, so that it is quick, is in no backup, and is empty after the engine died.
 * And the keys under which they count addresses, each gone a day after its own.
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
