import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/**
 * How long a connection that rests is left open: over it the next request may be on its way, and whoever closes then resets it.
 * The request is answered as the connection's last.
 */
const LINGER_MS = 1500;
/** Requests that are there whole are answered within two seconds (D15); of what is half sent by then, the rest may never come. */
const DRAIN_MS = 5000;
const RESTING_CHECK_MS = 50;

/** For no longer than that is accepted what goes on coming. */
const ACCEPT_MS = 500;
/** A turn of the loop that takes less was between two requests. */
const QUIET_MS = 0.5;

/**
 * Resolves when the kernel's queue of connections is empty: a close resets what is in it. A turn of the loop accepts one of them or more; after
 * one that accepted none and had little else to do, the next is most likely yet to come.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on("connection", count);
  const untilMs = performance.now() + ACCEPT_MS;
  let isQuiet = false;
  // What the first turn brings was asked of the kernel before.
  await setImmediate();
  while (!isQuiet && performance.now() < untilMs) {
    const before = { accepted, atMs: performance.now() };
    await setImmediate();
    isQuiet = accepted === before.accepted && performance.now() - before.atMs < QUIET_MS;
  }
  server.off("connection", count);
}

/** Accepts what is queued and nothing more, answers what was sent, tells clients to go elsewhere, and closes; at the latest after DRAIN_MS. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await acceptQueued(server);
  // The close of an HTTP server would end every resting connection at once.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  let resting: NodeJS.Timeout | undefined;
  const lingering = setTimeout(() => {
    resting = setInterval(() => server.closeIdleConnections(), RESTING_CHECK_MS);
  }, LINGER_MS);
  const ending = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  for (const timer of [lingering, resting, ending]) clearTimeout(timer);
}
