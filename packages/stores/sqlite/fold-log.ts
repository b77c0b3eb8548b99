import type { DatabaseSync } from "node:sqlite";
import { selectOne } from "./engine/select.ts";

/**
 * Checkpoints: copies everything committed from the write-ahead log into the database file,
 * durably. Does not wait: returns false if a reader or another process prevented a part of it.
 */
export function foldLog(database: DatabaseSync): boolean {
  try {
    const { busy, log, checkpointed } = selectOne<{
      busy: number;
      log: number;
      checkpointed: number;
    }>(database, "PRAGMA wal_checkpoint(PASSIVE)");
    return busy === 0 && log === checkpointed;
  } catch {
    // Everything committed is still in the log.
    return false;
  }
}
