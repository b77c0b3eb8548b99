import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";

/**
 * How long idle connections stay open, in ms. The next request may already be on its way, and a
 * close would then reset it. That request is answered as the last one of its connection.
 */
const LINGER_MS = 1500;
/**
 * In ms. Complete requests are answered within two seconds (D15, outage). The rest of an incomplete
 * one may never come.
 */
const DRAIN_MS = 5000;
const RESTING_CHECK_MS = 50;

/** How long new connections are accepted if they keep coming, in ms. */
const ACCEPT_MS = 500;
/** In ms. A turn of the event loop that takes less had hardly anything to do. */
const QUIET_MS = 0.5;

/**
 * Resolves when the kernel's queue of connections is empty, since a close resets those in it. Each
 * turn of the event loop accepts at least one of them. After a turn that accepted none and had
 * hardly anything to do, the queue is most likely empty.
 */
async function acceptQueued(server: Server): Promise<void> {
  let accepted = 0;
  const count = (): void => {
    accepted += 1;
  };
  server.on("connection", count);
  const untilMs = performance.now() + ACCEPT_MS;
  let isQuiet = false;
  // The connections that the first turn accepts were reported by the kernel before.
  await setImmediate();
  while (!isQuiet && performance.now() < untilMs) {
    const before = { accepted, atMs: performance.now() };
    await setImmediate();
    isQuiet = accepted === before.accepted && performance.now() - before.atMs < QUIET_MS;
  }
  server.off("connection", count);
}

/** A server that reports whether some answer is not fully written yet. */
export type Listener = Server & { isAnswering: () => boolean };

/**
 * Accepts only queued connections, answers what was sent, sends clients elsewhere, and closes
 * within DRAIN_MS.
 */
export async function drain(server: Listener): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  await acceptQueued(server);
  // The close of an HTTP server would end all idle connections at once, so this calls that of its
  // base class.
  const closed = new Promise<void>((resolve) =>
    NetServer.prototype.close.call(server, () => resolve()),
  );
  let resting: NodeJS.Timeout | undefined;
  const lingering = setTimeout(() => {
    resting = setInterval(() => {
      // Node treats a connection as idle once its answer is complete, though its client may still
      // be reading it.
      if (!server.isAnswering()) server.closeIdleConnections();
    }, RESTING_CHECK_MS);
  }, LINGER_MS);
  const ending = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  for (const timer of [lingering, resting, ending]) clearTimeout(timer);
}
