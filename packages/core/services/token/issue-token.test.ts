import assert from "node:assert/strict";
import { test } from "node:test";
import { issueTo, visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import { issueToken } from "./issue-token.ts";

/**
 * The tokens that a hidden network may earn of a site in an hour before its work gets harder, and
 * at which it doubles (D10, limits).
 */
const FREE = 600;
const DOUBLED = 900;

/**
 * A visitor hidden by an undeclared proxy. A visitor with a private peer can pretend this with a
 * header (D5, binding).
 */
const hiddenAt = (ip: string): Visitor => ({ ...visitorAt(ip), bindingAddress: undefined });

async function shop() {
  const world = await createWorld();
  const { site } = await world.createSite();
  const earn = (visitor: Visitor, count: number): void => {
    const bearer = { visitor, actionName: undefined, cdata: undefined, host: "shop.example" };
    for (let i = 0; i < count; i++)
      issueToken(world.node, site, bearer, { score: 0.13, nowMs: world.clock.nowMs() });
  };
  const difficulty = async (visitor: Visitor) =>
    (await issueTo(world, site, visitor)).challenge.difficulty;
  return { earn, difficulty };
}

test("a visitor who hides their network earns under their own address, and pays as others do (D10, limits)", async () => {
  const { earn, difficulty } = await shop();
  const [hidden, elsewhere] = [hiddenAt(VISITOR_IP), hiddenAt("198.51.100.1")];
  const usual = await difficulty(hidden);
  earn(hidden, FREE);
  assert.equal(await difficulty(hidden), usual);
  earn(hidden, DOUBLED - FREE);
  assert.equal(await difficulty(hidden), 2 * usual);
  assert.equal(await difficulty(elsewhere), usual);
  assert.equal(await difficulty(visitorAt(VISITOR_IP)), usual, "who hides nothing");
});
