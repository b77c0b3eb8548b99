import type { DatabaseSync } from "node:sqlite";
import { selectOne } from "./engine/select.ts";

/**
 * Copies what is committed from the write-ahead log into the database's file, durably. Waits for
 * nobody: returns false if a reader or another process prevented a part of it.
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
    // What is committed stays committed, in the log alone.
    return false;
  }
}
