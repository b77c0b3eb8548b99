/**
 * What nodes share.
 *
 * `node_entries` is what they send each other, kept for a minute. The table is unlogged: it is fast, is
 * in no backup, and is empty after the engine crashed. `day_keys` are the keys under which nodes count
 * addresses, each removed a day after its own day.
 *
 * `nodes` is what each node last wrote, by the name that its data directory keeps: a number that only
 * grows, and the transaction that wrote the row. A row that something else wrote, as a restored dump
 * does, was written by another transaction than it says (`../engine/postgres-generation.ts`). And how
 * far the node's clock is ahead of the database's.
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
