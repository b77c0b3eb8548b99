import assert from "node:assert/strict";
import { test } from "node:test";
import { issueTo, solve, solveFresh } from "@stile/testkit/minting/solving";
import { createWorld, VISITOR_IP } from "@stile/testkit/world/world";
import type { ChallengeLedger } from "../../ports/challenge/challenge-ledger.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import { submitSolution } from "./submit-solution.ts";

const world = await createWorld();
const { site, secretKey } = await world.createSite();

/** A store that completes the write, but answers too late for the caller (D15, outage). */
const late: ChallengeLedger = {
  spend: async (spent) => {
    await world.node.challenges.spend(spent);
    throw new StoreUnavailable("the disk did not answer in time");
  },
};

test("a visitor who got a 503 for a late write repeats it, gets another challenge, and then a token (D9, submission; D15, outage)", async () => {
  const submission = await solveFresh(world, site);
  await assert.rejects(
    submitSolution({ ...world.node, challenges: late }, submission),
    StoreUnavailable,
  );
  // The widget does this: it repeats the call after a moment and, if the answer is retry, solves a
  // new ordinary challenge.
  assert.equal(
    (await submitSolution(world.node, submission)).kind,
    "retry",
    "no token is given twice, and none was given",
  );
  const issued = await issueTo(world, site, submission.visitor);
  assert.equal(
    issued.challenge.stage,
    "first",
    "nobody is asked for a click because a disk was slow",
  );
  const answer = await submitSolution(world.node, await solve(world, site, issued));
  assert.ok(answer.kind === "issued");
  const claim = { remoteIp: VISITOR_IP, userAgent: submission.visitor.userAgent };
  const redeemed = await world.redeem(secretKey, { token: answer.token, ...claim });
  assert.equal(redeemed.kind, "verified");
});
