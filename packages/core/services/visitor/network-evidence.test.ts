import assert from "node:assert/strict";
import { test } from "node:test";
import type { BehaviourSignals } from "@stile/protocol/signals";
import { FLAG_WEIGHTS } from "@stile/risk/weights";
import { issueTo, NO_CLICK, solve, visitorAt } from "@stile/testkit/minting/solving";
import { NO_SCORE_FIELDS } from "@stile/testkit/visits/score-fields";
import {
  createWorld,
  DATACENTER_IP,
  TOR_IP,
  VISITOR_IP,
  type World,
  type WorldNode,
} from "@stile/testkit/world/world";
import type { Site, SiteSettings } from "../../domain/site/site.ts";
import { isDecision } from "../../domain/statistics/decision.ts";
import { parseIpAddress } from "../../domain/visitor/ip-address.ts";
import { submitSolution } from "../../use-cases/challenge/submit-solution.ts";
import { requestScore, type ScoreFields } from "../../use-cases/score/request-score.ts";
import { keyReference } from "./key-reference.ts";
import { digestAddress, networkName } from "./visitor-digests.ts";

const FARM_IP = "203.0.113.66";
const WINDOW_MS = 900_000;

async function shop(change: Partial<SiteSettings> = {}) {
  const world = await createWorld();
  // These tests are about the network alone, so their site collects no signals.
  const owned = await world.createSite({ scoreSignals: "none", ...change });
  return { world, ...owned };
}

async function flagsOf(world: World, site: Site): Promise<readonly string[]> {
  await world.node.decisions.flush();
  const [newest] = await world.node.decisions.list({ siteKey: site.siteKey, limit: 1 });
  assert.ok(newest !== undefined && isDecision(newest));
  return newest.contributions.map(({ flag }) => flag).sort();
}

let visits = 0;

/** Like `NO_CLICK`, but at another place each time, so that nothing is recognised. */
function movedElsewhere(): BehaviourSignals {
  visits += 1;
  const { pointer } = NO_CLICK;
  return { ...NO_CLICK, pointer: pointer.map(([atMs, x, ...rest]) => [atMs, x + visits, ...rest]) };
}

/** A visit from challenge to answer; returns its flags. */
async function visit(world: World, site: Site, ip: string) {
  const visitor = visitorAt(ip);
  const issued = await issueTo(world, site, visitor);
  const submission = {
    ...(await solve(world, site, issued, { behaviour: movedElsewhere() })),
    visitor,
  };
  const answer = await submitSolution(world.node, submission);
  return { answer, flags: await flagsOf(world, site) };
}

function networkOf(world: World, ip: string): string {
  const { cryptography, clock } = world.node;
  const key = keyReference(cryptography.currentKeyId(), "binding", clock.nowMs());
  return networkName(digestAddress(cryptography, key, parseIpAddress(ip))) ?? "";
}

const earn = (world: World, { siteKey }: Site, ip: string, count: number): void => {
  for (let i = 0; i < count; i++)
    world.node.tokenUsage.recordEarned(siteKey, networkOf(world, ip), world.clock.nowMs());
};

test("an address on the operator's lists shows in the decision, and is let through (risk score, lists)", async () => {
  const { world, site } = await shop();
  for (const [ip, flags] of [
    [VISITOR_IP, []],
    [DATACENTER_IP, ["ip_datacenter"]],
    [TOR_IP, ["ip_tor"]],
  ] as const) {
    const { answer, flags: seen } = await visit(world, site, ip);
    assert.deepEqual([answer.kind, seen], ["issued", flags], ip);
  }
});

test("a token is followed from the network that earned it by work to its redemption by the site's server", async () => {
  const { world, site, secretKey } = await shop({ binding: "flag" });
  const { clock } = world;
  const tokens = [];
  for (let i = 0; i < 3; i++) {
    const { answer } = await visit(world, site, VISITOR_IP);
    assert.ok(answer.kind === "issued");
    tokens.push(answer.token);
  }
  const [, home, elsewhere] = tokens;
  await world.redeem(secretKey, { token: home, remoteIp: VISITOR_IP });
  for (let i = 0; i < 5; i++)
    await world.redeem(secretKey, { token: elsewhere, remoteIp: FARM_IP });
  clock.advance(2 * WINDOW_MS);
  assert.deepEqual(
    world.node.tokenUsage.find(site.siteKey, networkOf(world, VISITOR_IP), clock.nowMs()),
    {
      network: { earned: 3, redeemed: 2, traced: 2, moved: 1 },
      others: { earned: 0, redeemed: 0, traced: 0, moved: 0 },
    },
  );
});

test("a token that is redeemed over the other address family has left its network like any other (D5, binding)", async () => {
  const { world, site, secretKey } = await shop();
  earn(world, site, VISITOR_IP, 2);
  for (const remoteIp of ["2001:db8::1", VISITOR_IP]) {
    const token = world.mint(site, { ip: VISITOR_IP });
    assert.equal((await world.redeem(secretKey, { token, remoteIp })).kind, "verified");
  }
  const usage = world.node.tokenUsage.find(
    site.siteKey,
    networkOf(world, VISITOR_IP),
    world.clock.nowMs() + 2 * WINDOW_MS,
  );
  assert.deepEqual(usage?.network, { earned: 2, redeemed: 2, traced: 2, moved: 1 });
});

test("a network whose tokens nobody redeems gets token_farm, but its neighbours on the site do not (risk score, token_farm)", async () => {
  const { world, site, secretKey } = await shop();
  earn(world, site, FARM_IP, 60);
  earn(world, site, VISITOR_IP, 20);
  for (let i = 0; i < 20; i++) {
    const token = world.mint(site, { ip: VISITOR_IP });
    assert.equal((await world.redeem(secretKey, { token, remoteIp: VISITOR_IP })).kind, "verified");
  }
  assert.deepEqual(
    (await visit(world, site, FARM_IP)).flags,
    [],
    "the tokens may still be redeemed",
  );
  world.clock.advance(2 * WINDOW_MS);
  assert.deepEqual((await visit(world, site, FARM_IP)).flags, ["token_farm"]);
  assert.deepEqual((await visit(world, site, VISITOR_IP)).flags, []);
});

test("showing one token a thousand times, spent or refused, moves no network's share (D2, redemption)", async () => {
  const { world, site, secretKey } = await shop();
  earn(world, site, VISITOR_IP, 40);
  const token = world.mint(site, { ip: VISITOR_IP });
  for (let i = 0; i < 100; i++) await world.redeem(secretKey, { token, remoteIp: FARM_IP });
  for (let i = 0; i < 100; i++) await world.redeem(secretKey, { token, remoteIp: VISITOR_IP });
  const usage = world.node.tokenUsage.find(
    site.siteKey,
    networkOf(world, VISITOR_IP),
    world.clock.nowMs() + 2 * WINDOW_MS,
  );
  assert.deepEqual(usage?.network, { earned: 40, redeemed: 1, traced: 1, moved: 0 });
});

const NOTHING = { ...NO_SCORE_FIELDS, userAgent: "Mozilla/5.0 (X11; Linux x86_64)" };

async function scoreFlags(
  world: World,
  secretKey: string,
  fields: Partial<ScoreFields>,
): Promise<readonly string[]> {
  const caller = { secretKey, address: parseIpAddress("203.0.113.1") };
  const answer = await requestScore(world.node, caller, async () => ({ ...NOTHING, ...fields }));
  assert.ok(answer.kind === "scored", answer.kind);
  return answer.flags;
}

test("POST /score scores the named address's network once: a genuine token's score includes it (D7, score request)", async () => {
  const { world, site, secretKey } = await shop();
  assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp: DATACENTER_IP }), [
    "ip_datacenter",
  ]);
  assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp: TOR_IP }), ["ip_tor"]);
  for (const remoteIp of [VISITOR_IP, undefined]) {
    assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp }), [], String(remoteIp));
  }
  assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp: "junk" }), ["ip_hidden"]);
  const token = world.mint(site, { ip: DATACENTER_IP });
  const claim = { token, remoteIp: DATACENTER_IP };
  assert.deepEqual(await scoreFlags(world, secretKey, claim), []);
  const forged = await scoreFlags(world, secretKey, { token: "forged", remoteIp: DATACENTER_IP });
  assert.deepEqual(forged, ["ip_datacenter", "token_invalid"]);
});

test("a site's server that repeatedly asks about an address makes it busy only for itself (D7, score request)", async () => {
  const { world, secretKey } = await shop();
  const other = await world.createSite({ scoreSignals: "none" });
  for (let i = 0; i < 30; i++)
    assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp: FARM_IP }), []);
  assert.deepEqual(await scoreFlags(world, secretKey, { remoteIp: FARM_IP }), ["velocity_ip"]);
  assert.deepEqual(await scoreFlags(world, other.secretKey, { remoteIp: FARM_IP }), []);
});

test("a program that takes another address of its network for every call still counts as busy", async () => {
  const { world, secretKey } = await shop();
  const hosts = Array.from({ length: 201 }, (_, i) => `2001:db8:7:${i.toString(16)}::1`);
  const flags = [];
  for (const remoteIp of hosts) flags.push(await scoreFlags(world, secretKey, { remoteIp }));
  assert.deepEqual([flags[0], flags[199], flags[200]], [[], [], ["velocity_ip"]]);
});

test("an operator's own weights apply at every stage (risk score, form)", async () => {
  const { world, site, secretKey } = await shop();
  const flagWeights = { ...FLAG_WEIGHTS, ip_datacenter: 2, ip_changed: 2 };
  const node: WorldNode = { ...world.node, settings: { ...world.node.settings, flagWeights } };
  const caller = { secretKey, address: parseIpAddress("203.0.113.1") };
  const scoreAt = async (at: WorldNode, fields: Partial<ScoreFields>): Promise<number> => {
    const answer = await requestScore(at, caller, async () => ({ ...NOTHING, ...fields }));
    return answer.kind === "scored" ? answer.score : 0;
  };
  assert.ok(
    (await scoreAt(node, { remoteIp: DATACENTER_IP })) >
      (await scoreAt(world.node, { remoteIp: DATACENTER_IP })),
  );
  const redeem = async (at: WorldNode): Promise<number> => {
    const answer = await world.redeem(
      secretKey,
      { token: world.mint(site), remoteIp: "2001:db8::1" },
      at,
    );
    return answer.kind === "verified" ? answer.verdict.score : 0;
  };
  assert.ok((await redeem(node)) > (await redeem(world.node)));
});
