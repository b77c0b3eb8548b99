import assert from "node:assert/strict";
import { test } from "node:test";
import { visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import { issueDelay } from "./issue-delay.ts";
import { submitDelay } from "./submit-delay.ts";

test("of many copies of a wait that come at once one yields a token, and few reach the store (D18)", async () => {
  const world = await createWorld();
  const { site } = await world.createSite({ noScript: "wait" });
  const { siteKey } = site;
  const errand = { requestId: "request-0", siteKey, actionName: "login", host: "shop.example" };
  const asked = { ...errand, visitor: visitorAt(VISITOR_IP) };
  const waiting = await issueDelay(world.node, asked);
  assert.ok(waiting.kind === "waiting", waiting.kind);
  world.clock.advance(waiting.waitMs);
  let spends = 0;
  const { challenges } = world.node;
  const counting: typeof challenges = {
    spend: (spend) => {
      spends += 1;
      return challenges.spend(spend);
    },
  };
  const node = { ...world.node, challenges: counting };
  const copies = Array.from({ length: 100 }, () => submitDelay(node, { ...asked, delay: waiting.delay }));
  const kinds = (await Promise.all(copies)).map(({ kind }) => kind).sort();
  assert.deepEqual([kinds.filter((kind) => kind === "issued").length, kinds.at(-1)], [1, "retry"]);
  assert.equal(spends, 3);
});
