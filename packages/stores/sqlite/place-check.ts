import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

const GONE =
  "the database's file was moved, replaced or removed while the server ran: stop the server, put the right file in its place, and start it";

/** What tells the file at a path from any other that may come to lie there; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/**
 * Answers what is to be called before each transaction that writes: it throws StoreUnavailable once another file lies where the database
 * was opened, or none. The system goes on to write to the file that was, which no later start would find.
 */
export function createPlaceCheck(database: DatabaseSync): () => void {
  const path = database.location();
  const identity = path === null ? undefined : identityOf(path);
  return () => {
    if (path !== null && identityOf(path) !== identity) throw new StoreUnavailable(GONE);
  };
}
