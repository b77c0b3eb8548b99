import { StoreUnavailable } from "@stile/core/ports/store-unavailable";
import type { Connections, Query } from "./database.ts";

/** When the last turn of this process ends that was asked for over those connections. */
const ends = new WeakMap<Connections, Promise<void>>();

/** Resolves with the end of the turns before; rejects with StoreUnavailable if that takes longer than a statement may. */
async function waitFor(before: Promise<void> | undefined, { deadlineMs }: Connections): Promise<void> {
  if (before === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable("too many writes wait for their turn")), deadlineMs);
  });
  try {
    await Promise.race([before, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does a write of several statements while no other of them is under way, on any node: as SQLite's one writer does it, so that what
 * was read before a change still holds when it is made. What is spent does not wait for this, and does not hold it up. Nor does what
 * only reads: in each process one of them at a time waits for the others with a connection.
 */
export function inTurn<Result>(calls: Connections, work: (query: Query) => Promise<Result>): Promise<Result> {
  const before = ends.get(calls);
  const turn = waitFor(before, calls).then(() =>
    calls.transaction(async (query) => {
      await query("SELECT FROM turns WHERE name = 'write' FOR UPDATE");
      return await work(query);
    }),
  );
  // Who gives up waiting ends before those before them do.
  const end = Promise.allSettled([before, turn]).then(() => {
    if (ends.get(calls) === end) ends.delete(calls);
  });
  ends.set(calls, end);
  return turn;
}
