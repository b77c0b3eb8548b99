import type { Server } from "node:http";
import { Server as NetServer } from "node:net";

/**
 * How long a connection that rests is left open: over it the next request may be on its way, and whoever closes then resets it.
 * The request is answered as the connection's last.
 */
const LINGER_MS = 1500;
/** Requests that are there whole are answered within two seconds (D15); of what is half sent by then, the rest may never come. */
const DRAIN_MS = 5000;
const RESTING_CHECK_MS = 50;

/** Accepts nothing more, answers what was sent, tells clients to go elsewhere, and closes; at the latest after DRAIN_MS. */
export async function drain(server: Server): Promise<void> {
  if (!server.listening) return;
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
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
