import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { honestP99Ms } from "@stile/testkit/service/honest-calls";
import { type RunningService, startService } from "@stile/testkit/service/service";

const SLOW_CLIENTS = 1000;
/** The pause between two bytes of a slow client. */
const DRIP_MS = 1000;
/**
 * Below this, twice the time is noise of a shared machine and not an effect of the slow clients.
 */
const UNNOTICEABLE_MS = 20;

let service: RunningService;

before(async () => {
  service = await startService({ STILE_LIMIT_VERIFY: "1000000", STILE_LOG_LEVEL: "error" });
});

after(async () => {
  await service?.dispose();
});

/** Opens a connection that sends a header byte by byte; returns it once it is open. */
async function openSlowly(): Promise<Socket> {
  const socket = connect(service.port, "127.0.0.1");
  await once(socket, "connect");
  socket.write("POST /api/v1/verify HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  const drip = setInterval(() => socket.write("a"), DRIP_MS);
  socket.on("error", () => {});
  socket.resume().on("close", () => clearInterval(drip));
  return socket;
}

test("a thousand slow clients do not slow down honest ones", async () => {
  await honestP99Ms(service);
  const aloneMs = await honestP99Ms(service);
  const slow = await Promise.all(Array.from({ length: SLOW_CLIENTS }, openSlowly));
  const besideMs = await honestP99Ms(service);
  const stillOpen = slow.filter((socket) => !socket.destroyed).length;
  for (const socket of slow) socket.destroy();
  console.log(
    `honest p99: ${aloneMs.toFixed(2)} ms alone, ${besideMs.toFixed(2)} ms with ${stillOpen} slow clients`,
  );
  assert.equal(stillOpen, SLOW_CLIENTS, "some were cut off before the measurement ended");
  assert.ok(besideMs <= Math.max(2 * aloneMs, UNNOTICEABLE_MS));
});
