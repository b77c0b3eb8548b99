import assert from "node:assert/strict";
import { test } from "node:test";
import { visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import { issueToken } from "../services/token/issue-token.ts";
import { issueDelay } from "./issue-delay.ts";
import { submitDelay } from "./submit-delay.ts";

/**
 * The tokens that a hidden network may earn of a site in an hour before it gets fewer waits (D18,
 * no JavaScript).
 */
const FREE = 600;

test("a hidden network over its free part gets two waits a minute, as others do (D18, no JavaScript)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ noScript: "wait" });
  const visitor = { ...visitorAt(VISITOR_IP), bindingAddress: undefined };
  const origin = { visitor, actionName: undefined, host: "shop.example" };
  const earning = { score: 0.13, nowMs: world.clock.nowMs() };
  for (let i = 0; i <= FREE; i++)
    issueToken(world.node, site, { ...origin, cdata: undefined }, earning);
  const asked = { ...origin, requestId: "request-0", siteKey: site.siteKey };
  const waits = await Promise.all(Array.from({ length: 3 }, () => issueDelay(world.node, asked)));
  world.clock.advance(30_000);
  const kinds: string[] = [];
  for (const wait of waits) {
    assert.ok(wait.kind === "waiting", wait.kind);
    kinds.push((await submitDelay(world.node, { ...asked, delay: wait.delay })).kind);
  }
  assert.deepEqual(kinds, ["issued", "issued", "limited"]);
});
