import assert from "node:assert/strict";
import { test } from "node:test";
import { issueTo, solve, solveFresh } from "@stile/testkit/minting/solving";
import {
  ACCOUNT_ID,
  createWorld,
  NOON_MS,
  referenceTo,
  VISITOR_AGENT,
  VISITOR_IP,
} from "@stile/testkit/world/world";
import type { SiteSettings } from "../../domain/site/site.ts";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import { issueChallenge } from "../../use-cases/challenge/issue-challenge.ts";
import { submitSolution } from "../../use-cases/challenge/submit-solution.ts";
import { updateSite } from "../../use-cases/site/update-site.ts";
import { viewDecisions } from "../../use-cases/statistics/view-decisions.ts";
import { viewInstall } from "../../use-cases/statistics/view-install.ts";
import { viewOutcome } from "../../use-cases/statistics/view-outcome.ts";

const NOTHING = { domain_mismatch: 0, site_disabled: 0, rate_limited: 0, solution_rejected: 0 };

async function shop(change: Partial<SiteSettings> = {}, challenge = 100) {
  const world = await createWorld({ challenge });
  const { site } = await world.createSite(change);
  const own = { accountId: ACCOUNT_ID, siteKey: site.siteKey };
  const address = parseIpAddress(VISITOR_IP);
  const visitor = {
    address,
    bindingAddress: address,
    country: undefined,
    userAgent: VISITOR_AGENT,
    riskHeaders: {},
  };
  const ask = (requestId: string, host: string | null | undefined) =>
    issueChallenge(world.node, {
      requestId,
      siteKey: site.siteKey,
      actionName: "login",
      host,
      wantsFallback: false,
      visitor,
    });
  const rows = async () => {
    await world.store.decisions.flush();
    const { decisions } =
      (await viewDecisions(world.node, own, { limit: 100, show: "refused" })) ?? assert.fail();
    return decisions.map((entry) =>
      entry.outcome === "refused" ? [entry.requestId, entry.reason, entry.host] : [],
    );
  };
  const outcome = async () =>
    (await viewOutcome(world.node, own, { range: "24h", timeZone: "UTC" })) ?? assert.fail();
  return { world, site, own, ask, rows, outcome };
}

test("a page of a foreign host, or of none, is a row with the host, a count, and a host to add (D8, challenge)", async () => {
  const { world, own, ask, rows, outcome } = await shop();
  assert.equal((await ask("request-1", "forgotten.example")).kind, "domain_mismatch");
  world.clock.advance(1);
  assert.equal((await ask("request-2", null)).kind, "domain_mismatch");
  assert.equal(
    (await ask("request-3", undefined)).kind,
    "issued",
    "a request without a page is admitted",
  );
  assert.deepEqual(await rows(), [
    ["request-2", "domain_mismatch", null],
    ["request-1", "domain_mismatch", "forgotten.example"],
  ]);
  const { refusedAtDoor, refusedHosts, sums } = await outcome();
  assert.deepEqual(refusedAtDoor, { ...NOTHING, domain_mismatch: 2 });
  assert.deepEqual(refusedHosts, [{ host: "forgotten.example", lastAtMs: NOON_MS }]);
  assert.equal(sums.issued, 1);
  assert.deepEqual((await viewInstall(world.node, own))?.refusedHosts, refusedHosts);
});

test("a disabled site and a used-up budget show their owner the refused visitors (D8, challenge; D10, limits)", async () => {
  const { world, site, ask, rows, outcome } = await shop({}, 1);
  assert.equal((await ask("request-1", "shop.example")).kind, "issued");
  assert.equal((await ask("request-2", "shop.example")).kind, "limited");
  const change = { revision: site.revision, isEnabled: false };
  assert.equal((await updateSite(world.node, referenceTo(site), change)).kind, "updated");
  world.clock.advance(1);
  assert.equal((await ask("request-3", "shop.example")).kind, "site_disabled");
  assert.deepEqual(await rows(), [
    ["request-3", "site_disabled", "shop.example"],
    ["request-2", "rate_limited", "shop.example"],
  ]);
  assert.deepEqual((await outcome()).refusedAtDoor, {
    ...NOTHING,
    site_disabled: 1,
    rate_limited: 1,
  });
  assert.deepEqual(
    (await outcome()).refusedHosts,
    [],
    "only foreign hosts are missing among the domains",
  );
});

test("a refused submission is listed too, and a rejected solution counts once, as failed (D9, submission)", async () => {
  const { world, site, rows, outcome } = await shop();
  const right = await solve(world, site, await issueTo(world, site));
  const wrong = { ...right, requestId: "wrong", solutionBytes: new Uint8Array(0) };
  assert.equal((await submitSolution(world.node, wrong)).kind, "retry");
  world.clock.advance(1);
  const foreign = { ...right, requestId: "foreign", host: "forgotten.example" };
  assert.equal((await submitSolution(world.node, foreign)).kind, "domain_mismatch");
  assert.equal((await submitSolution(world.node, await solveFresh(world, site))).kind, "issued");
  assert.deepEqual(await rows(), [
    ["foreign", "domain_mismatch", "forgotten.example"],
    ["wrong", "solution_rejected", "www.shop.example"],
  ]);
  const { refusedAtDoor, sums } = await outcome();
  assert.deepEqual(refusedAtDoor, { ...NOTHING, domain_mismatch: 1, solution_rejected: 1 });
  assert.equal(sums.failed, 1);
});

test("a flood of refusals is counted in full, stored in part, and hides no decision", async () => {
  const { world, site, own, ask, rows, outcome } = await shop();
  for (let number = 0; number < 3_000; number++) await ask(`junk-${number}`, `${number}.example`);
  await submitSolution(world.node, await solveFresh(world, site));
  assert.equal((await rows()).length, 60);
  assert.equal((await outcome()).refusedAtDoor.domain_mismatch, 3_000);
  const scored = (await viewDecisions(world.node, own, { limit: 100, show: "allow" }))?.decisions;
  assert.equal(scored?.length, 1);
});
