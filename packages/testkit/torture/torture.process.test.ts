import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { type TortureReport, torture } from "./torture.ts";

const TOKENS = 4;

/**
 * Tortures a service that spends all tokens but the last correctly, and claims that the last has
 * expired.
 */
async function tortureWithExpired(context: TestContext): Promise<TortureReport> {
  const spent = new Set<string>();
  const server = createServer(async (request, response) => {
    const { token } = (await json(request)) as { token: string };
    const isVerified = Number(token) < TOKENS - 1 && !spent.has(token);
    const reasonCode = Number(token) < TOKENS - 1 ? "token_already_used" : "token_expired";
    if (isVerified) spent.add(token);
    response.end(
      JSON.stringify({ reasonCode, data: { verified: isVerified, timestamp: new Date(0) } }),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const target = {
    servers: [{ baseUrl: `http://127.0.0.1:${port}`, up: async () => {} }],
    secretKey: "sk_x",
    faults: [],
    killAll: async () => 0,
  };
  let minted = 0;
  // One caller without a key, so that there are no repeats.
  const plan = {
    tokens: TOKENS,
    mint: () => String(minted++),
    racers: 1,
    groups: 1,
    kills: 0,
    seed: 1,
  };
  return await torture(target, plan);
}

test("reports tokens that a service claims to have expired", async (context) => {
  const { successes, expired } = await tortureWithExpired(context);
  assert.deepEqual([successes, expired], [3, 1]);
});
