import { setTimeout as rest } from "node:timers/promises";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import type { Logger } from "../telemetry/log.ts";

/** Longer than a stop takes: five seconds for what is half sent, and what the store has left to write. */
const WAIT_MS = 30_000;
const CHECK_MS = 25;

/**
 * Waits while another server has claimed the directory, no longer than `waitMs`: with a socket that both were handed, the next one may be
 * started before the one before it is gone, and whoever calls meanwhile waits in the socket's queue.
 */
export async function waitForPredecessor(
  directory: Pick<DataDirectory, "isServed">,
  log: Pick<Logger, "info">,
  waitMs = WAIT_MS,
): Promise<void> {
  if (!directory.isServed()) return;
  log.info({ seconds: waitMs / 1000 }, "another server runs on the data directory; waiting for it to stop");
  const untilMs = performance.now() + waitMs;
  while (directory.isServed() && performance.now() < untilMs) await rest(CHECK_MS);
}
