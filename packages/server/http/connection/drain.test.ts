import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { drain } from "./drain.ts";

const CALLERS = 20;

test("callers whose connections wait to be accepted when a stop is asked for are answered, and told to go elsewhere (T27)", async () => {
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
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
  // They connect at the end of this turn: the kernel has the connections, but nobody has accepted them yet.
  await new Promise<void>((resolve) => process.nextTick(resolve));
  await drain(server);
  assert.deepEqual(new Set(await Promise.all(told)), new Set(["200 close"]));
});
