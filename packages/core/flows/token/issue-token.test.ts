import assert from "node:assert/strict";
import { test } from "node:test";
import { issueTo, visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import { issueDelay } from "../challenge/no-script/issue-delay.ts";
import { issueToken } from "./issue-token.ts";

/** What one network may earn of a site in an hour before its work gets harder, and before it gets no delays (D10). */
const FREE = 600;
const MOST = 6_000;

/** A visitor hidden by an undeclared proxy; if peers are private, they can claim so themselves with a header (D5). */
const hiddenAt = (ip: string): Visitor => ({ ...visitorAt(ip), bindingAddress: undefined });

async function shop() {
  const world = await createWorld();
  const { site } = await world.createSite({ noScript: "wait" });
  const earn = (visitor: Visitor, count: number): void => {
    const bearer = { visitor, actionName: undefined, cdata: undefined, host: "shop.example" };
    for (let i = 0; i < count; i++) issueToken(world.node, site, bearer, { score: 0.13, nowMs: world.clock.nowMs() });
  };
  const difficulty = async (visitor: Visitor) => (await issueTo(world, site, visitor)).challenge.difficulty;
  return { world, site, earn, difficulty };
}

test("who hides their network earns under their own address, and pays for it as others do (D10)", async () => {
  const { earn, difficulty } = await shop();
  const [hidden, elsewhere] = [hiddenAt(VISITOR_IP), hiddenAt("198.51.100.1")];
  const usual = await difficulty(hidden);
  earn(hidden, FREE);
  assert.equal(await difficulty(hidden), 2 * usual);
  assert.equal(await difficulty(elsewhere), usual);
  assert.equal(await difficulty(visitorAt(VISITOR_IP)), usual, "who hides nothing");
});

test("who hides their network gets no more waits than others who earned as much (D18)", async () => {
  const { world, site, earn } = await shop();
  const asked = { requestId: "request-0", siteKey: site.siteKey, actionName: undefined, host: "shop.example" };
  const wait = async () => (await issueDelay(world.node, { ...asked, visitor: hiddenAt(VISITOR_IP) })).kind;
  assert.equal(await wait(), "waiting");
  earn(hiddenAt(VISITOR_IP), MOST);
  assert.equal(await wait(), "limited");
});
