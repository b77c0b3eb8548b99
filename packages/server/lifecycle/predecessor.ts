import { setTimeout as rest } from "node:timers/promises";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import type { Logger } from "../telemetry/log.ts";

/**
 * In ms. Longer than a stop takes: five seconds for incomplete requests, and the store's remaining
 * writes.
 */
const WAIT_MS = 30_000;
const CHECK_MS = 25;

/**
 * Waits until no other server has claimed the directory, at most `waitMs`. If two servers get the
 * same socket, the next may start before the previous one is gone. Clients then wait in the
 * socket's queue.
 */
export async function waitForPredecessor(
  directory: Pick<DataDirectory, "isServed">,
  log: Pick<Logger, "info">,
  waitMs = WAIT_MS,
): Promise<void> {
  if (!directory.isServed()) return;
  log.info(
    { seconds: waitMs / 1000 },
    "Another server runs on the data directory. Waiting for it to stop.",
  );
  const untilMs = performance.now() + waitMs;
  while (directory.isServed() && performance.now() < untilMs) await rest(CHECK_MS);
}
