import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { DatabaseProblem } from "../postgres/engine/database-problem.ts";
import { isBusy, toStoreError } from "../sqlite/engine/busy.ts";
import { heedsMoves, type Move, markMove, readMove } from "./move-mark.ts";

const READ_WAIT_MS = 5000;
/**
 * A busy service starts its next write right after the last one, so its database is free only for
 * moments.
 */
const HOLD_MS = 30_000;
const TRY_EVERY_MS = 1;

/**
 * Opens an installation's database, which a service may be using. Committed writes survive a loss
 * of power.
 */
export function openSource(file: string): DatabaseSync {
  const source = new DatabaseSync(file, { timeout: READ_WAIT_MS });
  source.exec("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON");
  return source;
}

/**
 * Begins a transaction in which no other process can write. Throws StoreUnavailable if the database
 * stays locked for too long.
 */
export async function holdWrites(source: DatabaseSync): Promise<void> {
  // SQLite's own waiting tries too rarely to catch such a moment.
  source.exec("PRAGMA busy_timeout = 0");
  const untilMs = performance.now() + HOLD_MS;
  for (;;) {
    try {
      source.exec("BEGIN IMMEDIATE");
      return;
    } catch (fault) {
      if (!isBusy(fault) || performance.now() > untilMs) throw toStoreError(fault);
    }
    await delay(TRY_EVERY_MS);
  }
}

/**
 * Throws DatabaseProblem if the service that writes to the database would not notice that it was
 * moved.
 */
export function checkHeeds(source: DatabaseSync): void {
  if (heedsMoves(source)) return;
  throw new DatabaseProblem(
    "The running service is of an older version of Stile. Restart it with this version, or stop it, and move again.",
  );
}

/** Throws DatabaseProblem if another move was faster. */
export function checkUnmoved(source: DatabaseSync): void {
  if (readMove(source) === undefined) return;
  throw new DatabaseProblem(
    "Another move of this installation finished first, so this one moved nothing.",
  );
}

/** Sets or removes the database's mark, in a transaction of its own. */
export async function writeMark(source: DatabaseSync, move: Move | undefined): Promise<void> {
  await holdWrites(source);
  markMove(source, move);
  source.exec("COMMIT");
}
