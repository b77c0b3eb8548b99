import type { DatabaseConnections, Query } from "./database.ts";
import { endWithin } from "./end-within.ts";

/** When this process's last turn over those connections ends. */
const ends = new WeakMap<DatabaseConnections, Promise<void>>();

/**
 * Resolves when the turns before have ended; rejects with StoreUnavailable if that outlasts a
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
 * Does a write of several statements while no other such write is under way on any node. It behaves
 * like SQLite's single writer: what was read before a change still holds when the change is made.
 * Spending neither waits for this nor is held up by it, and nor are reads: in each process only one
 * such write at a time occupies a connection while waiting for other nodes.
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
