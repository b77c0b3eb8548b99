import type { Connections, Query } from "./database.ts";

/**
 * Does a write of several statements while no other of them is under way, on any node: as SQLite's one writer does it, so that what
 * was read before a change still holds when it is made. What is spent does not wait for this, and does not hold it up.
 */
export function inTurn<Result>(calls: Connections, work: (query: Query) => Promise<Result>): Promise<Result> {
  return calls.transaction(async (query) => {
    await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
    return await work(query);
  });
}
