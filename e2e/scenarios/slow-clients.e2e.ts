import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { keepConnection } from "../raw-http.ts";
import { type RunningService, startService } from "../service.ts";

const SLOW_CLIENTS = 1000;
const HONEST_CALLS = 1000;
/** Below this, twice the time is the noise of a shared machine and not the slow clients' doing. */
const UNNOTICEABLE_MS = 20;

let service: RunningService;

before(async () => {
  service = await startService({ STILE_LIMIT_VERIFY: "1000000", STILE_LOG_LEVEL: "error" });
});

after(async () => {
  await service?.dispose();
});

/** The 99th percentile of honest calls one after the other, in ms. */
async function honestP99Ms(): Promise<number> {
  const connection = keepConnection(service.port);
  const body = '{"token":"x"}';
  const head = ["POST /api/v1/token/verify HTTP/1.1", "Host: localhost", `Authorization: Bearer ${service.secretKey}`];
  head.push("Content-Type: application/json", `Content-Length: ${body.length}`, "", body);
  const call = Buffer.from(head.join("\r\n"));
  const times: number[] = [];
  while (times.length < HONEST_CALLS) {
    const startedAt = performance.now();
    assert.equal((await connection.send(call)).status, 200);
    times.push(performance.now() - startedAt);
  }
  connection.close();
  return times.sort((a, b) => a - b)[Math.floor(HONEST_CALLS * 0.99)] ?? Number.NaN;
}

/** Opens a connection that sends a header byte by byte, and opens it again whenever it is cut off. */
function keepDripping(isOver: () => boolean, onOpen: () => void): () => void {
  let socket = connect(service.port, "127.0.0.1");
  let drip: NodeJS.Timeout | undefined;
  const attach = (): void => {
    socket.on("connect", () => {
      onOpen();
      socket.write("POST /api/v1/verify HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      drip = setInterval(() => socket.write("a"), 100);
    });
    socket.on("error", () => {});
    socket.resume().on("close", () => {
      clearInterval(drip);
      if (isOver()) return;
      socket = connect(service.port, "127.0.0.1");
      attach();
    });
  };
  attach();
  return () => socket.destroy();
}

test("a thousand slow clients do not slow down honest ones (T8)", async () => {
  await honestP99Ms();
  const aloneMs = await honestP99Ms();
  let isOver = false;
  let opened = 0;
  const { promise: areAllOpen, resolve } = Promise.withResolvers<void>();
  const onOpen = (): void => {
    opened++;
    if (opened === SLOW_CLIENTS) resolve();
  };
  const stops = Array.from({ length: SLOW_CLIENTS }, () => keepDripping(() => isOver, onOpen));
  await areAllOpen;
  const besideMs = await honestP99Ms();
  isOver = true;
  for (const stop of stops) stop();
  console.log(
    `honest p99: ${aloneMs.toFixed(2)} ms alone, ${besideMs.toFixed(2)} ms beside ${SLOW_CLIENTS} slow clients`,
  );
  assert.ok(besideMs <= Math.max(2 * aloneMs, UNNOTICEABLE_MS));
});
