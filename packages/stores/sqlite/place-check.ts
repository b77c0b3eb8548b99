import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

const GONE =
  "the database's file was moved, replaced or removed while the server ran: stop the server, put the right file in its place, and start it";
const LOG_GONE =
  "the database's log (its -wal file) was moved, replaced or removed while the server ran: restart the server, without killing it";

/**
 * Identifies the file at a path, so that a replacement is noticed; undefined if there is none.
 * Throws StoreUnavailable if the system does not let us look.
 */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch (cause) {
    throw new StoreUnavailable("the folder of the database can't be looked at", { cause });
  }
}

/**
 * Returns a check to call before each writing transaction. It throws StoreUnavailable once the
 * database's file or its log was moved, replaced or removed: the system would go on writing to the
 * old file, which no later start would find.
 */
export function createPlaceCheck(database: DatabaseSync): () => void {
  const path = database.location();
  if (path === null) return () => {};
  const [identity, ofLog] = [identityOf(path), identityOf(`${path}-wal`)];
  return () => {
    if (identityOf(path) !== identity) throw new StoreUnavailable(GONE);
    if (ofLog !== undefined && identityOf(`${path}-wal`) !== ofLog)
      throw new StoreUnavailable(LOG_GONE);
  };
}
