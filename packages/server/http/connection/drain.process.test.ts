import assert from "node:assert/strict";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { createLog } from "../../telemetry/log.ts";
import { createListener } from "../listener.ts";
import { drain } from "./drain.ts";

const CALLERS = 20;

test("answers callers whose connections wait to be accepted when a stop is requested, and sends them elsewhere", async () => {
  const routes = [{ path: "/", method: "GET", handle: () => ({ status: 200, body: "" }) }] as const;
  const server = createListener({ routes, log: createLog("silent"), security: [] }).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const call = () =>
    new Promise<string>((resolve) => {
      const sent = request({ host: "127.0.0.1", port, agent: false }, (response) => {
        response.resume();
        resolve(`${response.statusCode} ${response.headers.connection}`);
      });
      sent.on("error", ({ code }: NodeJS.ErrnoException) => resolve(String(code))).end();
    });
  const told = Array.from({ length: CALLERS }, call);
  // They connect at the end of this turn: the kernel has the connections, but the server has not
  // accepted them yet.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await drain(server);
  assert.deepEqual(new Set(await Promise.all(told)), new Set(["200 close"]));
});

test("finishes an answer that its client is still reading when idle connections are closed (D17, settings)", async () => {
  // More than the kernel buffers for both ends, and little enough to be read within DRAIN_MS on a
  // busy machine.
  const body = Buffer.alloc(16 * 2 ** 20);
  const routes = [{ path: "/", method: "GET", handle: () => ({ status: 200, body }) }] as const;
  const server = createListener({ routes, log: createLog("silent"), security: [] }).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: "127.0.0.1", port, agent: false }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const { isAnswering } = server;
  server.isAnswering = () => {
    ask();
    return isAnswering();
  };
  const drained = drain(server);
  await asked;
  let read = 0;
  for await (const piece of response) read += (piece as Buffer).length;
  await drained;
  assert.deepEqual([read, isAnswering()], [body.length, false]);
});
