import type { DatabaseConnections, Query } from "./database.ts";
import { endWithin } from "./end-within.ts";

/** When this process's last turn over those connections ends. */
const ends = new WeakMap<DatabaseConnections, Promise<void>>();

/**
 * Resolves when earlier turns have ended. Rejects with StoreUnavailable if that takes longer than a
 * statement's deadline.
 */
async function waitFor(
  before: Promise<void> | undefined,
  { deadlineMs }: DatabaseConnections,
): Promise<void> {
  if (before !== undefined)
    await endWithin(deadlineMs, before, "too many writes wait for their turn");
}

/**
 * Runs a write of several statements while no other such write runs on any node. Like with SQLite's
 * single writer, what the write reads still holds when it changes it. Spending and reads do not
 * wait for such writes: in each process, only one of them occupies a connection while it waits for
 * other nodes.
 */
export function inTurn<Result>(
  calls: DatabaseConnections,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  const before = ends.get(calls);
  const turn = waitFor(before, calls).then(() =>
    calls.transaction(async (query) => {
      await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
      return await work(query);
    }),
  );
  // A turn that gives up waiting ends before the turns it waited for.
  const end = Promise.allSettled([before, turn]).then(() => {
    if (ends.get(calls) === end) ends.delete(calls);
  });
  ends.set(calls, end);
  return turn;
}
