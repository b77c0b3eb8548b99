import type { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/**
 * How long another process may lock the database before callers get StoreUnavailable, ms (D16,
 * operator).
 */
export const BUSY_DEADLINE_MS = 1000;

/**
 * Pause between two tries, ms. node:sqlite blocks the event loop, so we cannot wait inside SQLite
 * (D16, operator).
 */
export const BUSY_RETRY_MS = 5;

/**
 * Result codes of SQLite (its C interface, "Result Codes") that report a problem of the machine.
 * All others report a bug of ours.
 */
const BUSY_CODES: ReadonlySet<number> = new Set([5, 6, 15]);
const MACHINE_CODES: ReadonlySet<number> = new Set([7, 8, 10, 13, 14]);

/** The primary result code of an error of node:sqlite; -1 for any other error. */
function resultCode(error: unknown): number {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number")
    return -1;
  return error.errcode & 0xff;
}

/** Whether another connection has locked the database, so that trying again may help. */
export function isBusy(error: unknown): boolean {
  return BUSY_CODES.has(resultCode(error));
}

/**
 * Whether the error concerns the database or the machine as a whole, and not just the write of one
 * caller.
 */
export function isOfMachine(error: unknown): boolean {
  return isBusy(error) || MACHINE_CODES.has(resultCode(error));
}

/**
 * The error for callers: StoreUnavailable if the database is locked, full, read-only or unreadable,
 * otherwise the error itself.
 */
export function toStoreError(error: unknown): unknown {
  if (isBusy(error))
    return new StoreUnavailable("another process has locked the database", { cause: error });
  if (!MACHINE_CODES.has(resultCode(error))) return error;
  return new StoreUnavailable("the database can't be read or written", { cause: error });
}

/** Tries until the database is free, for at most BUSY_DEADLINE_MS of the monotonic clock `now`. */
export async function retryWhileBusy<Answer>(
  attempt: () => Answer,
  now: () => number,
): Promise<Answer> {
  const startedAtMs = now();
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || now() - startedAtMs >= BUSY_DEADLINE_MS) throw toStoreError(error);
    }
    await delay(BUSY_RETRY_MS);
  }
}

/**
 * Like `retryWhileBusy`, for several queries. All of them see the same state, even if others write
 * meanwhile.
 */
export function readTogether<Answer>(
  database: DatabaseSync,
  read: () => Answer,
  now: () => number,
): Promise<Answer> {
  return retryWhileBusy(() => {
    database.exec("BEGIN");
    try {
      return read();
    } finally {
      if (database.isTransaction) database.exec("COMMIT");
    }
  }, now);
}
