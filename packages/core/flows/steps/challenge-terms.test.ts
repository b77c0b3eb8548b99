import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChallengeStage, FallbackWish, Workload } from "../../domain/challenge.ts";
import { bindingPrefix } from "../../domain/client-address.ts";
import type { Site } from "../../domain/site.ts";
import { visitorAt } from "../../fixtures/solving.ts";
import { createWorld, type World } from "../../fixtures/world.ts";
import { judgeTerms } from "./challenge-terms.ts";

const HASHWX = 1;

type Asking = { readonly wish?: FallbackWish; readonly stage?: ChallengeStage };

/** Judges the next challenge of an address; the counters are those of the world's one node. */
async function grounds(change = {}, algorithm: 1 | 2 = HASHWX) {
  const world = await createWorld();
  const { site } = await world.createSite(change);
  const ports = { ...world.node, settings: { ...world.node.settings, algorithm } };
  const account = (await world.store.sites.findAccount(site.accountId)) ?? assert.fail("no account");
  const ask = (ip: string, { wish = "none", stage = "first" }: Asking = {}, at: Site = site) => {
    const { bindingAddress } = visitorAt(ip);
    return judgeTerms(ports, stage, {
      site: at,
      account,
      client: `client ${ip}`,
      network: bindingAddress && ports.cryptography.addressDigest(bindingPrefix(bindingAddress)),
      agent: `agent at ${ip}`,
      nowMs: world.clock.nowMs(),
      wish,
    });
  };
  return { world, site, ports, ask };
}

function advanceSeconds(world: World, seconds: number): void {
  world.clock.advance(seconds * 1000);
}

test("an honest first visitor pays the base difficulty", async () => {
  const { ask } = await grounds();
  assert.deepEqual(ask("203.0.113.7"), { stage: "first", exponent: 0, workload: "full" });
});

test("an address that asks again and again pays more with every doubling, and again nothing after two quiet minutes", async () => {
  const { world, ask } = await grounds();
  const paid = Array.from({ length: 49 }, () => ask("203.0.113.7").exponent);
  assert.deepEqual([paid[0], paid[23], paid[24], paid[47], paid[48]], [0, 0, 1, 1, 2]);
  advanceSeconds(world, 120);
  assert.equal(ask("203.0.113.7").exponent, 0);
});

test("spreading over a /24 or a /48 does not help", async () => {
  const { ask } = await grounds();
  for (let i = 0; i < 48; i++) ask(`203.0.113.${i}`);
  assert.equal(ask("203.0.113.200").exponent, 2);
  assert.equal(ask("203.0.114.1").exponent, 0);
  for (let i = 0; i < 48; i++) ask(`2001:db8:1:${i}::1`);
  assert.equal(ask("2001:db8:1:ffff::1").exponent, 2);
  assert.equal(ask("2001:db8:2::1").exponent, 0);
});

test("a stepped-up browser pays twice, the browser of a redeemed token half, for as long as was said", async () => {
  const { world, site, ports, ask } = await grounds();
  assert.equal(ask("198.51.100.1", { stage: "stepped_up" }).exponent, 1);
  ports.history.noteRedeemed(site.siteKey, "agent at 192.0.2.1", world.clock.nowMs() + 1000);
  assert.equal(ask("192.0.2.1").exponent, -1);
  assert.equal(ask("192.0.2.2").exponent, 0, "another browser");
  advanceSeconds(world, 1);
  assert.equal(ask("192.0.2.1").exponent, 0);
});

test("the owner's slider is added, and the sum stays within its bounds", async () => {
  assert.equal((await grounds({ difficultyOffset: 2 })).ask("203.0.113.7").exponent, 2);
  const easy = await grounds({ difficultyOffset: -1 });
  easy.ports.history.noteRedeemed(easy.site.siteKey, "agent at 203.0.113.7", easy.world.clock.nowMs() + 1000);
  assert.equal(easy.ask("203.0.113.7").exponent, -1);
  const hard = await grounds({ difficultyOffset: 2 });
  for (let i = 0; i < 500; i++) hard.ask("203.0.113.7");
  assert.equal(hard.ask("203.0.113.7", { stage: "stepped_up" }).exponent, 5);
});

test("a rush on the site costs everybody at most two doublings", async () => {
  const { ask } = await grounds();
  for (let i = 0; i < 1000; i++) ask(`10.${i >> 8}.${i & 255}.1`);
  assert.equal(ask("192.0.2.9").exponent, 2);
});

const ASKED = { wish: "asked" } as const;

/** How many of `count` wishes, each from the address that `ipOf` gives, end in less work. */
const countReduced = (count: number, ask: (at: number) => { readonly workload: Workload }): number =>
  Array.from({ length: count }, (_, at) => ask(at).workload).filter((workload) => workload !== "full").length;

test("a browser without WebAssembly gets less work, twelve times a minute for its network, then all of it", async () => {
  const { ask } = await grounds();
  const given = Array.from({ length: 13 }, (_, i) => ask(`203.0.113.${i}`, ASKED).workload);
  assert.deepEqual(given, [...new Array(12).fill("reduced"), "full"]);
  assert.equal(ask("198.51.100.1", ASKED).workload, "reduced", "another network has its own quota");
  assert.equal(ask("192.0.2.1").workload, "full", "nobody gets it unasked");
});

test("many networks share the quotas of site and account: a quarter and half of the account's challenges (D8)", async () => {
  const { world, ask } = await grounds();
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

test("a busy network and a browser that comes back stepped up get a quarter, never less (D8)", async () => {
  const { ask } = await grounds();
  assert.equal(ask("198.51.100.1", { ...ASKED, stage: "stepped_up" }).workload, "quarter");
  for (let i = 0; i < 24; i++) ask(`203.0.113.${i}`);
  assert.equal(ask("203.0.113.200", ASKED).workload, "quarter");
  assert.equal(ask("203.0.113.201", { wish: "continued", stage: "stepped_up" }).workload, "quarter");
});

test("the step-up of a solution with less work has less work too, and takes nothing from the quotas (D9)", async () => {
  const { ask } = await grounds();
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
  const { ask } = await grounds({}, 2);
  assert.equal(ask("203.0.113.7", ASKED).workload, "full");
});
