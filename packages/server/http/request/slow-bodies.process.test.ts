import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { receiveBody } from "./body.ts";
import { MOST_UNFINISHED_BYTES } from "./unfinished-bodies.ts";

const LIMIT = { bytes: 65_536, marks: 1024 };
const { baseUrl, stop } = await serveRoutes([
  {
    path: "/take",
    method: "POST",
    handle: async (request) => ({
      status: 200,
      body: { taken: (await receiveBody(request, LIMIT)).kind },
    }),
  },
]);
const sockets: Socket[] = [];
after(async () => {
  for (const socket of sockets) socket.destroy();
  await stop();
});

type SlowClient = {
  readonly socket: Socket;
  readonly sent: Promise<unknown>;
  readonly answered: Promise<string>;
};

/** A client that sends all of its body except the last byte. */
function sendSlowly(): SlowClient {
  const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1").on("error", () => {});
  sockets.push(socket);
  const head = [
    "POST /take HTTP/1.1",
    "Host: x",
    "Content-Type: application/json",
    `Content-Length: ${LIMIT.bytes}`,
  ];
  const part = `${head.join("\r\n")}\r\n\r\n${"x".repeat(LIMIT.bytes - 1)}`;
  const sent = new Promise((resolve) => socket.write(part, resolve));
  return { socket, sent, answered: once(socket, "data").then(([data]) => `${data}`) };
}

test("bounds the memory of incomplete bodies: the oldest gets 503, a whole one and the newest are taken (D11, errors)", async () => {
  const together = MOST_UNFINISHED_BYTES / LIMIT.bytes;
  const oldest = sendSlowly();
  let answer: string | undefined;
  oldest.answered.then((text) => {
    answer = text;
  });
  while (answer === undefined) {
    assert.ok(sockets.length < 2 * together, "nobody gives way");
    await Promise.all(Array.from({ length: 50 }, () => sendSlowly().sent));
  }
  assert.ok(sockets.length >= together, `${sockets.length} clients are too many`);
  assert.match(
    answer,
    /^HTTP\/1\.1 503 .*\r\nRetry-After: 1\r\n.*\r\nConnection: close\r\n.*"code":"internal_error"/s,
  );
  const whole = { method: "POST", body: "{}", headers: { "Content-Type": "application/json" } };
  assert.deepEqual(await (await fetch(`${baseUrl}/take`, whole)).json(), { taken: "received" });
  const newest = sendSlowly();
  await newest.sent;
  newest.socket.write("x");
  assert.match(await newest.answered, /^HTTP\/1\.1 200 .*\{"taken":"received"\}/s);
});
