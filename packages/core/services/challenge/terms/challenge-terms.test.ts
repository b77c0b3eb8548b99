import assert from "node:assert/strict";
import { test } from "node:test";
import { visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, type World } from "@stile/testkit/world/world";
import type {
  ChallengeStage,
  FallbackState,
  Workload,
} from "../../../domain/challenge/challenge.ts";
import type { Site } from "../../../domain/site/site.ts";
import { providerOf } from "../../visitor/network-evidence.ts";
import { networkName } from "../../visitor/visitor-digests.ts";
import { bindChallenge } from "../sign-challenge.ts";
import { drawChallenge } from "./challenge-budget.ts";
import { decideTerms } from "./challenge-terms.ts";
import { countFallback } from "./fallback-terms.ts";

const HASHWX = 1;
const PLAIN = { isWorkDone: false, isFallback: false };

type Asking = {
  readonly fallback?: FallbackState;
  readonly stage?: ChallengeStage;
  readonly userAgent?: string;
  readonly isWorkDone?: boolean;
  readonly earned?: number;
};

/**
 * Decides the terms of an address's next challenge, on the world's one node and with limits out of
 * reach.
 */
async function fixtures(change = {}, algorithm: 1 | 2 = HASHWX) {
  const world = await createWorld({ challenge: 100_000 });
  const { site } = await world.createSite(change);
  const account = await world.node.directory.findAccount(site.accountId);
  assert.ok(account);
  const ports = { ...world.node, settings: { ...world.node.settings, algorithm } };
  const drawAt = (ip: string, userAgent: string | undefined, siteKey: string) => {
    const visitor = {
      ...visitorAt(ip),
      ...(userAgent !== undefined && { userAgent, riskHeaders: {} }),
    };
    const nowMs = world.clock.nowMs();
    const client = `client ${ip}`;
    const binding = bindChallenge(ports.cryptography, { actionName: undefined, visitor, nowMs });
    const draw = drawChallenge(ports, { account, siteKey, visitor, client, binding, nowMs });
    return { client, draw, network: networkName(binding), nowMs };
  };
  const ask = (
    ip: string,
    { fallback = "none", stage = "first", userAgent, isWorkDone = false, earned = 0 }: Asking = {},
    at: Site = site,
  ) => {
    const drawn = drawAt(ip, userAgent, at.siteKey);
    const terms = { site: at, account, ...drawn, earnings: { earned, free: 600 } };
    const decided = decideTerms(ports, stage, { ...terms, fallback, isWorkDone });
    ports.siteLoad.record(at.siteKey, drawn.nowMs);
    return decided;
  };
  return { world, site, account, ask };
}

function advanceSeconds(world: World, seconds: number): void {
  world.clock.advance(seconds * 1000);
}

test("an honest first visitor pays the base difficulty", async () => {
  const { ask } = await fixtures();
  assert.deepEqual(ask("203.0.113.7"), { stage: "first", exponent: 0, workload: "full", ...PLAIN });
});

test("an address that asks repeatedly pays more with every doubling, and the base price again after two quiet minutes", async () => {
  const { world, ask } = await fixtures();
  const paid = Array.from({ length: 49 }, () => ask("203.0.113.7").exponent);
  assert.deepEqual([paid[0], paid[23], paid[24], paid[47], paid[48]], [0, 0, 1, 1, 2]);
  advanceSeconds(world, 120);
  assert.equal(ask("203.0.113.7").exponent, 0);
});

test("spreading over a /24 or a /48 does not help", async () => {
  const { ask } = await fixtures();
  for (let i = 0; i < 48; i++) ask(`203.0.113.${i}`);
  assert.equal(ask("203.0.113.200").exponent, 2);
  assert.equal(ask("203.0.114.1").exponent, 0);
  for (const spread of [(i: number) => i, (i: number) => i << 8]) {
    const { ask } = await fixtures();
    for (let i = 0; i < 48; i++) ask(`2001:db8:1:${spread(i).toString(16)}::1`);
    assert.equal(ask(`2001:db8:1:${spread(48).toString(16)}::1`).exponent, 2);
    assert.equal(ask("2001:db8:2::1").exponent, 0);
  }
});

test("behind one address people pay for themselves, and a program with synthetic agents for all of them (D10, limits)", async () => {
  const { ask } = await fixtures();
  for (let i = 0; i < 48; i++) ask("203.0.113.7", { userAgent: "Mozilla/5.0 one" });
  const [program, browser] = ["one", "two"].map(
    (name) => ask("203.0.113.7", { userAgent: `Mozilla/5.0 ${name}` }).exponent,
  );
  assert.equal((program ?? 0) - (browser ?? 0), 2);
  const rotating = await fixtures();
  const paid = Array.from(
    { length: 49 },
    (_, i) => rotating.ask("203.0.113.7", { userAgent: `Mozilla/5.0 ${i}` }).exponent,
  );
  assert.equal((paid[48] ?? 0) - (paid[0] ?? 0), 2);
});

test("a visitor whose token was recently redeemed pays nothing for a rush, whatever the score was (D10, limits)", async () => {
  const { world, ask } = await fixtures();
  for (let i = 0; i < 1000; i++) ask(`10.${i >> 8}.${i & 255}.1`);
  assert.equal(ask("192.0.2.9").exponent, 2);
  for (const [ip, score] of [
    ["198.18.0.9", 0.05],
    ["198.18.1.9", 0.9],
  ] as const) {
    const owned = await world.createSite();
    const token = world.mint(owned.site, { ip, score, userAgent: visitorAt(ip).userAgent });
    assert.equal((await world.redeem(owned.secretKey, { token })).kind, "verified");
    assert.equal(ask(ip).exponent, 0);
  }
});

test("a token that is redeemed for another network makes no agent known (D10, limits)", async () => {
  const { world, ask } = await fixtures();
  for (let i = 0; i < 1000; i++) ask(`10.${i >> 8}.${i & 255}.1`);
  const ip = "198.18.0.9";
  const owned = await world.createSite({ binding: "flag" });
  for (const [remoteIp, expected] of [
    ["198.18.9.9", 2],
    [ip, 0],
  ] as const) {
    const token = world.mint(owned.site, { ip, userAgent: visitorAt(ip).userAgent });
    assert.equal((await world.redeem(owned.secretKey, { token, remoteIp })).kind, "verified");
    assert.equal(ask(ip).exponent, expected);
  }
});

test("a busy network pays up to +5 together with the slider, and may still ask for less work (D10, limits)", async () => {
  const { ask } = await fixtures({ difficultyOffset: 2 });
  const paid = Array.from({ length: 200 }, () => ask("203.0.113.7").exponent);
  assert.equal(Math.max(...paid.slice(0, 50)), 4);
  assert.equal(paid[199], 5);
  assert.deepEqual(ask("203.0.113.7", ASKED), {
    stage: "first",
    exponent: 5,
    workload: "most_interpreted",
    ...PLAIN,
    isFallback: true,
  });
});

test("a stepped-up browser pays twice; no redemption lowers the price below the base (decision 0024, prices)", async () => {
  const { world, ask } = await fixtures();
  assert.equal(ask("198.51.100.1", { stage: "stepped_up" }).exponent, 1);
  const owned = await world.createSite();
  const redeem = async (ip: string): Promise<void> => {
    const token = world.mint(owned.site, { ip, userAgent: visitorAt(ip).userAgent });
    assert.equal((await world.redeem(owned.secretKey, { token })).kind, "verified");
  };
  await redeem("192.0.2.1");
  assert.equal(ask("192.0.2.1", {}, owned.site).exponent, 0, "the site's own visitor");
  assert.equal(ask("192.0.2.1").exponent, 0, "at another site of the account");
});

test("the owner's slider is added, and the sum stays within its bounds", async () => {
  assert.equal((await fixtures({ difficultyOffset: 2 })).ask("203.0.113.7").exponent, 2);
  const easy = await fixtures({ difficultyOffset: -1 });
  assert.equal(easy.ask("203.0.113.7").exponent, -1);
  const hard = await fixtures({ difficultyOffset: 2 });
  for (let i = 0; i < 500; i++) hard.ask("203.0.113.7");
  assert.equal(hard.ask("203.0.113.7", { stage: "stepped_up" }).exponent, 5);
});

test("a rush on the site costs everybody at most two doublings", async () => {
  const { ask } = await fixtures();
  for (let i = 0; i < 1000; i++) ask(`10.${i >> 8}.${i & 255}.1`);
  assert.equal(ask("192.0.2.9").exponent, 2);
});

const ASKED = { fallback: "asked" } as const;

/** Number of granted requests for less work, of `count`; `ipOf` gives the address of each. */
const countReduced = (
  count: number,
  ask: (at: number) => { readonly workload: Workload },
): number =>
  Array.from({ length: count }, (_, at) => ask(at).workload).filter(
    (workload) => workload === "reduced",
  ).length;

/** Solves a challenge with less work at that address. */
function solveAt(
  fixture: Awaited<ReturnType<typeof fixtures>>,
  ip: string,
  at: Site = fixture.site,
): void {
  const { world, account } = fixture;
  const nowMs = world.clock.nowMs();
  const { cryptography } = world.node;
  const visitor = visitorAt(ip);
  const network =
    networkName(bindChallenge(cryptography, { actionName: undefined, visitor, nowMs })) ?? "";
  const provider = providerOf(cryptography, visitor.address);
  const ports = { ...world.node, settings: { ...world.node.settings, algorithm: HASHWX } as const };
  countFallback(ports, { account, siteKey: at.siteKey, network, provider, nowMs });
}

test("a browser without WebAssembly gets less work, and no other does unless it asks (D8, challenge)", async () => {
  const { ask } = await fixtures();
  assert.equal(ask("203.0.113.7", ASKED).workload, "reduced");
  assert.equal(ask("192.0.2.1").workload, "full");
});

test("60 unpaid challenges a minute from 150 networks leave less work to browsers without WebAssembly (D8, challenge)", async () => {
  const { world, ask } = await fixtures();
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 60; i++) ask(`10.0.${(60 * minute + i) % 150}.1`, ASKED);
    assert.equal(
      countReduced(15, (i) => ask(`192.0.${15 * minute + i}.1`, ASKED)),
      15,
    );
    advanceSeconds(world, 60);
  }
});

test("solved challenges share the quotas of site and account: a quarter and half of a network's challenges (D8, challenge)", async () => {
  const fixture = await fixtures();
  const { world, ask, account, site } = fixture;
  Object.assign(account, { challengePerMinute: 100 });
  const { site: second } = await world.createSite();
  const { site: third } = await world.createSite();
  const solved = (at: Site, block: number): number =>
    Array.from({ length: 60 }, (_, i) => {
      const ip = `10.${block}.${i}.1`;
      const { workload } = ask(ip, ASKED, at);
      if (workload === "reduced") solveAt(fixture, ip, at);
      return workload;
    }).filter((workload) => workload === "reduced").length;
  assert.deepEqual([solved(site, 0), solved(second, 1), solved(third, 2)], [25, 25, 0]);
  assert.equal(ask("192.0.2.1", ASKED, third).workload, "most_interpreted");
  advanceSeconds(world, 120);
  assert.equal(ask("192.0.2.1", ASKED).workload, "reduced");
});

test("three networks do not use up a site's less work: others get their share, even in the next minutes (D8, challenge)", async () => {
  const fixture = await fixtures();
  const { world, ask, account } = fixture;
  Object.assign(account, { challengePerMinute: 100 });
  const attackers = ["10.0.0.1", "10.0.1.1", "10.0.2.1", "2001:db8:1::1", "2001:db8:2::1"];
  for (let minute = 0; minute < 3; minute++) {
    for (let i = 0; i < 60; i++) solveAt(fixture, attackers[i % attackers.length] ?? "");
    for (let i = 0; i < 4; i++)
      assert.equal(ask(`192.0.${10 * minute + i}.1`, ASKED).workload, "reduced", `${i}`);
    advanceSeconds(world, 60);
  }
});

test("a busy network and a browser that returns stepped up get the most that an interpreter finishes (D8, challenge)", async () => {
  const { ask } = await fixtures();
  assert.equal(ask("198.51.100.1", { ...ASKED, stage: "stepped_up" }).workload, "most_interpreted");
  for (let i = 0; i < 24; i++) ask(`203.0.113.${i}`);
  assert.equal(ask("203.0.113.200", ASKED).workload, "most_interpreted");
  assert.equal(
    ask("203.0.113.201", { fallback: "continued", stage: "stepped_up" }).workload,
    "most_interpreted",
  );
});

test("the step-up of a solution with less work has less work too (D9, submission)", async () => {
  const { ask } = await fixtures();
  const asked = { fallback: "continued", stage: "stepped_up" } as const;
  assert.equal(
    countReduced(20, (i) => ask(`203.0.113.${i}`, asked)),
    20,
  );
});

test("SHA-256 needs no WebAssembly and has no fallback to ask for", async () => {
  const { ask } = await fixtures({}, 2);
  assert.equal(ask("203.0.113.7", ASKED).workload, "full");
});

test("a visitor who did the work and lacks only a click does an eighth of it more, and is no risk (D9, submission)", async () => {
  const { ask } = await fixtures();
  const eighth = ask("203.0.113.7", { stage: "stepped_up", isWorkDone: true });
  assert.deepEqual(eighth, {
    stage: "stepped_up",
    exponent: 0,
    workload: "full",
    ...PLAIN,
    isWorkDone: true,
  });
  const atRisk = ask("203.0.113.8", { stage: "stepped_up" });
  assert.deepEqual(atRisk, { stage: "stepped_up", exponent: 1, workload: "full", ...PLAIN });
});

test("a step-up after excused reduced work asks for an eighth, too, and counts against nobody (proof of work)", async () => {
  const { ask } = await fixtures();
  for (const fallback of ["continued", "excused"] as const) {
    const asked = ask("203.0.113.7", { fallback, stage: "stepped_up", isWorkDone: true });
    const isFallback = fallback === "continued";
    assert.deepEqual(asked, {
      stage: "stepped_up",
      exponent: 0,
      workload: "reduced",
      isWorkDone: true,
      isFallback,
    });
  }
});

test("a network pays for its rate or its earnings, whichever is more (D10, limits)", async () => {
  const { world, ask } = await fixtures();
  assert.deepEqual(
    [0, 600, 900, 1350, 6000].map((earned) => ask("203.0.113.7", { earned }).exponent),
    [0, 0, 1, 2.5, 5],
  );
  for (let i = 0; i < 48; i++) ask("198.51.100.1");
  assert.equal(ask("198.51.100.1", { earned: 900 }).exponent, 2);
  advanceSeconds(world, 120);
});

test("the fallback of a network over its free part is the most that an interpreter finishes (D8, challenge)", async () => {
  const { ask } = await fixtures();
  assert.equal(ask("203.0.113.7", { earned: 600, fallback: "asked" }).workload, "reduced");
  assert.equal(ask("203.0.113.7", { earned: 601, fallback: "asked" }).workload, "most_interpreted");
});
