import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { type RestartedNode, restartUnderLoad } from "./restarts-under-load.ts";

const LOAD = { secretKey: "sk_x", mint: () => "token" };

/** A node that answers every redemption with that, and stops and starts as it should. */
async function startNode(status: number, body: object): Promise<RestartedNode> {
  let server: Server;
  let port = 0;
  const restart = async (): Promise<void> => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<number> => {
    await new Promise((resolve) => server.close(resolve));
    return 0;
  };
  await restart();
  return { baseUrl: `http://127.0.0.1:${port}`, stop, restart };
}

for (const [what, status, body] of [
  ["is never available", 503, { error: { code: "unavailable" } }],
  ["accepts no token", 200, { data: { verified: false }, reasonCode: "invalid_signature" }],
] as const) {
  test(`a service that ${what} is detected: each of its answers counts as wrong`, async () => {
    const node = await startNode(status, body);
    const { verified, wrong, firstWrong } = await restartUnderLoad([node], LOAD, 1);
    await node.stop();
    assert.equal(verified, 0);
    assert.ok(wrong >= 200, `${wrong}`);
    assert.equal(firstWrong, `${status}: ${JSON.stringify(body)}`);
  });
}

test("a service that verifies each token has no wrong answer", async () => {
  const node = await startNode(200, { data: { verified: true } });
  const { verified, wrong } = await restartUnderLoad([node], LOAD, 1);
  await node.stop();
  assert.ok(verified >= 200);
  assert.equal(wrong, 0);
});
