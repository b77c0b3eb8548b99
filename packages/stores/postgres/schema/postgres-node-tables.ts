/**
 * Tables that nodes share.
 *
 * `node_entries` has what nodes send each other, kept for a minute. The table is unlogged: it is
 * fast, is in no backup, and is empty after the engine crashed. `day_keys` has the keys under which
 * nodes count addresses; each is removed a day after its own day.
 *
 * `nodes` has the last write of each node, by the name in its data directory. It has a number that
 * only grows, and the transaction that wrote the row. If something else wrote the row, such as a
 * restored dump, the row's own transaction is another than it says
 * (`../engine/postgres-generation.ts`). The row also says how far the node's clock is ahead of the
 * database's.
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

CREATE TABLE nodes (
  node TEXT COLLATE "C" PRIMARY KEY,
  number BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  ahead_ms BIGINT NOT NULL,
  xid TEXT NOT NULL
) WITH (fillfactor = 10);
`;
