/**
 * What each node last wrote, by the name that its data directory keeps: a number that only grows,
 * and the transaction that wrote the row. A row that something else wrote, as a restored dump does,
 * was written by another transaction than it says (`../engine/postgres-generation.ts`). And how far
 * the node's clock is ahead of the database's. `noticed_ms` is when it was last noticed that the
 * database had been put back: what nodes remember from before that no longer counts.
 */
export const NODE_MARKS = `
CREATE TABLE nodes (
  node TEXT COLLATE "C" PRIMARY KEY,
  number BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  ahead_ms BIGINT NOT NULL,
  xid TEXT NOT NULL
) WITH (fillfactor = 10);

ALTER TABLE generations ADD COLUMN noticed_ms BIGINT NOT NULL DEFAULT 0;
`;
