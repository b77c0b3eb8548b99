import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { startInProcess } from "@stile/testkit/contract/service-fixtures";
import { createLog } from "../telemetry/log.ts";
import { MAX_PIPELINED } from "./connection/connections.ts";
import { createListener, STALLED_MS } from "./listener.ts";

const fixture = await startInProcess();
after(() => fixture.stop());
const { port } = new URL(fixture.baseUrl);

/** All bytes that the service sends in answer to these, until it closes or `isEnough`. */
function receive(bytes: string, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.on("error", () => {}).on("close", () => resolve(text));
    socket.on("data", (data) => {
      text += data;
      if (isEnough(text)) socket.destroy();
    });
  });
}

const answersIn = (text: string): number => text.split("HTTP/1.1 200 OK").length - 1;
const HEALTH = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

test("answers as many pipelined requests as may wait, and cuts off a client that sends a thousand (D11, errors)", async () => {
  const few = await receive(
    HEALTH.repeat(MAX_PIPELINED),
    (text) => answersIn(text) === MAX_PIPELINED,
  );
  assert.equal(answersIn(few), MAX_PIPELINED);
  const many = await receive(HEALTH.repeat(1000), () => false);
  assert.ok(answersIn(many) <= MAX_PIPELINED);
  assert.equal((await fetch(`${fixture.baseUrl}/healthz`)).status, 200);
});

test("refuses a Host that no address can have, with JSON on every path (D11, errors)", async () => {
  for (const host of ["[::::]", "localhost:99999", "a/b", ""]) {
    for (const path of ["/healthz", "/api/v1/pow/challenge"]) {
      const text = await receive(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`, () => false);
      assert.match(text, /^HTTP\/1\.1 400 /, `${host} ${path}`);
      assert.match(text, /"code":"bad_request".*Host header/, `${host} ${path}`);
    }
  }
});

test("cuts off a client that stops reading its answer", {
  timeout: 20_000,
}, async () => {
  const handle = () => ({ status: 200, body: Buffer.alloc(64 * 2 ** 20) });
  const routes = [{ method: "GET", path: "/healthz", handle }] as const;
  const server = createListener({ routes, log: createLog("silent"), security: [] });
  assert.equal(server.timeout, STALLED_MS);
  server.timeout = 100;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const asking = once(server, "request") as Promise<[IncomingMessage, ServerResponse]>;
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").on("error", () => {});
  socket.write(HEALTH);
  const [, response] = await asking;
  await once(response, "close");
  assert.equal(response.writableFinished, false);
  socket.destroy();
  server.close();
});
