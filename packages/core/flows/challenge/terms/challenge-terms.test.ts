import assert from "node:assert/strict";
import { test } from "node:test";
import { visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, type World } from "@stile/testkit/world/world";
import type { ChallengeStage, FallbackWish, Workload } from "../../../domain/challenge/challenge.ts";
import type { Site } from "../../../domain/site/site.ts";
import { networkName } from "../../visitor/visitor-digests.ts";
import { bindChallenge } from "../sign-challenge.ts";
import { drawChallenge } from "./challenge-budget.ts";
import { decideTerms } from "./challenge-terms.ts";

const HASHWX = 1;
const PLAIN = { isWorkDone: false, isFallback: false };

type Asking = {
  readonly wish?: FallbackWish;
  readonly stage?: ChallengeStage;
  readonly userAgent?: string;
  readonly isWorkDone?: boolean;
  readonly earned?: number;
};

/** Decides the terms of an address's next challenge, on the world's one node and with limits out of reach. */
async function fixtures(change = {}, algorithm: 1 | 2 = HASHWX) {
  const world = await createWorld({ challenge: 100_000 });
  const { site } = await world.createSite(change);
  const account = await world.node.directory.findAccount(site.accountId);
  assert.ok(account);
  const ports = { ...world.node, settings: { ...world.node.settings, algorithm } };
  const drawAt = (ip: string, userAgent: string | undefined, siteKey: string) => {
    const visitor = { ...visitorAt(ip), ...(userAgent !== undefined && { userAgent, riskHeaders: {} }) };
    const nowMs = world.clock.nowMs();
    const client = `client ${ip}`;
    const binding = bindChallenge(ports.cryptography, { actionName: undefined, visitor, nowMs });
    const draw = drawChallenge(ports, { account, siteKey, visitor, client, binding, nowMs });
    return { client, draw, network: networkName(binding), nowMs };
  };
  const ask = (
    ip: string,
    { wish = "none", stage = "first", userAgent, isWorkDone = false, earned = 0 }: Asking = {},
    at: Site = site,
  ) => {
    const drawn = drawAt(ip, userAgent, at.siteKey);
    const terms = { site: at, account, ...drawn, earned: { tokens: earned, doubtful: 0 }, tokensPerHour: 6000 };
    const decided = decideTerms(ports, stage, { ...terms, wish, isWorkDone });
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

test("an address that asks again and again pays more with every doubling, and again nothing after two quiet minutes", async () => {
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

test("behind one address people pay for themselves, and whoever makes up agents for all of them (D10)", async () => {
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

test("whose token was redeemed lately pays nothing for a rush, whatever the score was (D10)", async () => {
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

test("a token that is redeemed for another network makes nobody known (D10)", async () => {
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

test("over the limit of its network, where that costs work, one more is paid, up to +6, but no fallback more than +5 (D10)", async () => {
  const { ask, account } = await fixtures({ difficultyOffset: 2 });
  Object.assign(account, { challengePerMinute: 50, overLimit: "work" });
  const paid = Array.from({ length: 200 }, () => ask("203.0.113.7").exponent);
  assert.equal(Math.max(...paid.slice(0, 50)), 4);
  assert.equal(paid[199], 6);
  assert.deepEqual(ask("203.0.113.7", ASKED), {
    stage: "first",
    exponent: 5,
    workload: "quarter",
    ...PLAIN,
    isFallback: true,
  });
});

test("a stepped-up browser pays twice; nobody pays less than the base for what was redeemed (decision 0098)", async () => {
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

const ASKED = { wish: "asked" } as const;

/** How many of `count` wishes for less work are granted; `ipOf` gives the address of each. */
const countReduced = (count: number, ask: (at: number) => { readonly workload: Workload }): number =>
  Array.from({ length: count }, (_, at) => ask(at).workload).filter((workload) => workload !== "full").length;

test("a browser without WebAssembly gets less work, twelve times a minute for its network, then all of it", async () => {
  const { ask } = await fixtures();
  const given = Array.from({ length: 13 }, (_, i) => ask(`203.0.113.${i}`, ASKED).workload);
  assert.deepEqual(given, [...new Array(12).fill("reduced"), "full"]);
  assert.equal(ask("198.51.100.1", ASKED).workload, "reduced", "another network has its own quota");
  assert.equal(ask("192.0.2.1").workload, "full", "nobody gets it unasked");
});

test("many networks share the quotas of site and account: a quarter and half of a network's challenges (D8)", async () => {
  const { world, ask, account } = await fixtures();
  Object.assign(account, { challengePerMinute: 100 });
  assert.equal(
    countReduced(60, (i) => ask(`10.0.${i}.1`, ASKED)),
    25,
  );
  const { site: second } = await world.createSite();
  const { site: third } = await world.createSite();
  assert.equal(
    countReduced(60, (i) => ask(`10.1.${i}.1`, ASKED, second)),
    25,
  );
  assert.equal(
    countReduced(60, (i) => ask(`10.2.${i}.1`, ASKED, third)),
    0,
  );
  advanceSeconds(world, 120);
  assert.equal(ask("192.0.2.1", ASKED).workload, "reduced");
});

test("three networks do not use up what a site has of less work: others get their share, also in the minutes after", async () => {
  const { world, ask, account } = await fixtures();
  Object.assign(account, { challengePerMinute: 100 });
  const attackers = ["10.0.0.1", "10.0.1.1", "10.0.2.1", "2001:db8:1::1", "2001:db8:2::1"];
  for (let minute = 0; minute < 3; minute++) {
    const taken = countReduced(60, (i) => ask(attackers[i % attackers.length] ?? "", ASKED));
    for (let i = 0; i < 4; i++) assert.equal(ask(`192.0.${10 * minute + i}.1`, ASKED).workload, "reduced", `${i}`);
    assert.ok(taken + 4 <= 25);
    advanceSeconds(world, 60);
  }
});

test("a busy network and a browser that comes back stepped up get a quarter, never less (D8)", async () => {
  const { ask } = await fixtures();
  assert.equal(ask("198.51.100.1", { ...ASKED, stage: "stepped_up" }).workload, "quarter");
  for (let i = 0; i < 24; i++) ask(`203.0.113.${i}`);
  assert.equal(ask("203.0.113.200", ASKED).workload, "quarter");
  assert.equal(ask("203.0.113.201", { wish: "continued", stage: "stepped_up" }).workload, "quarter");
});

test("the step-up of a solution with less work has less work too, and takes nothing from the quotas (D9)", async () => {
  const { ask } = await fixtures();
  const asked = { wish: "continued", stage: "stepped_up" } as const;
  assert.equal(
    countReduced(20, (i) => ask(`203.0.113.${i}`, asked)),
    20,
  );
  assert.equal(ask("203.0.113.99", asked).workload, "reduced");
  assert.equal(
    countReduced(12, () => ask("203.0.113.100", ASKED)),
    12,
  );
});

test("SHA-256 needs no WebAssembly and has no fallback to ask for", async () => {
  const { ask } = await fixtures({}, 2);
  assert.equal(ask("203.0.113.7", ASKED).workload, "full");
});

test("who did the work and lacks a click alone does an eighth of it more, and is no risk (D9)", async () => {
  const { ask } = await fixtures();
  const eighth = ask("203.0.113.7", { stage: "stepped_up", isWorkDone: true });
  assert.deepEqual(eighth, { stage: "stepped_up", exponent: 0, workload: "full", ...PLAIN, isWorkDone: true });
  const atRisk = ask("203.0.113.8", { stage: "stepped_up" });
  assert.deepEqual(atRisk, { stage: "stepped_up", exponent: 1, workload: "full", ...PLAIN });
});

test("so with less work for want of WebAssembly, whose step-up is held against nobody who was excused (proof of work)", async () => {
  const { ask } = await fixtures();
  for (const wish of ["continued", "excused"] as const) {
    const asked = ask("203.0.113.7", { wish, stage: "stepped_up", isWorkDone: true });
    const isFallback = wish === "continued";
    assert.deepEqual(asked, { stage: "stepped_up", exponent: 0, workload: "reduced", isWorkDone: true, isFallback });
  }
});

test("a network that earned much in the hour pays for it, for its rate or its earnings, whichever is more", async () => {
  const { world, ask } = await fixtures();
  assert.deepEqual(
    [0, 599, 600, 2400].map((earned) => ask("203.0.113.7", { earned }).exponent),
    [0, 0, 1, 3],
  );
  for (let i = 0; i < 48; i++) ask("198.51.100.1");
  assert.equal(ask("198.51.100.1", { earned: 600 }).exponent, 2);
  advanceSeconds(world, 120);
  // Over its hourly limit, but not refused: one more.
  assert.equal(ask("203.0.113.7", { earned: 6000 }).exponent, 5);
});

test("the fallback of a network that earned much is a quarter", async () => {
  const { ask } = await fixtures();
  assert.equal(ask("203.0.113.7", { earned: 600, wish: "asked" }).workload, "quarter");
});
