import assert from "node:assert/strict";
import { test } from "node:test";
import { bindingPrefix } from "../../domain/client-address.ts";
import { visitorAt } from "../../fixtures/solving.ts";
import { createWorld, type World } from "../../fixtures/world.ts";
import { judgeTerms } from "./challenge-terms.ts";

const HASHWX = 1;

/** Judges the next challenge of an address; the counters are those of the world's one node. */
async function grounds(change = {}, algorithm: 1 | 2 = HASHWX) {
  const world = await createWorld();
  const { site } = await world.createSite(change);
  const ports = { ...world.node, settings: { ...world.node.settings, algorithm } };
  const ask = (
    ip: string,
    more: { wantsFallback?: boolean; stage?: "first" | "stepped_up"; userAgent?: string } = {},
  ) => {
    const visitor = visitorAt(ip);
    return judgeTerms(ports, more.stage ?? "first", {
      site,
      visitor: { ...visitor, ...(more.userAgent !== undefined && { userAgent: more.userAgent, riskHeaders: {} }) },
      client: `client ${ip}`,
      network: visitor.bindingAddress && ports.cryptography.addressDigest(bindingPrefix(visitor.bindingAddress)),
      nowMs: world.clock.nowMs(),
      wantsFallback: more.wantsFallback ?? false,
    });
  };
  return { world, site, ports, ask };
}

function advanceSeconds(world: World, seconds: number): void {
  world.clock.advance(seconds * 1000);
}

test("an honest first visitor pays the base difficulty", async () => {
  const { ask } = await grounds();
  assert.deepEqual(ask("203.0.113.7"), { stage: "first", exponent: 0, isFallback: false });
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

test("who names itself a program pays four times, a stepped-up client twice, a client that was good half", async () => {
  const { world, site, ports, ask } = await grounds();
  assert.equal(ask("203.0.113.1", { userAgent: "curl/8.5.0" }).exponent, 2);
  assert.equal(ask("198.51.100.1", { stage: "stepped_up" }).exponent, 1);
  ports.history.noteGood(site.siteKey, "client 192.0.2.1", world.clock.nowMs() + 1000);
  assert.equal(ask("192.0.2.1").exponent, -1);
  advanceSeconds(world, 1);
  assert.equal(ask("192.0.2.1").exponent, 0);
});

test("the owner's slider is added, and the sum stays within its bounds", async () => {
  assert.equal((await grounds({ difficultyOffset: 2 })).ask("203.0.113.7").exponent, 2);
  const easy = await grounds({ difficultyOffset: -1 });
  easy.ports.history.noteGood(easy.site.siteKey, "client 203.0.113.7", easy.world.clock.nowMs() + 1000);
  assert.equal(easy.ask("203.0.113.7").exponent, -1);
  const hard = await grounds({ difficultyOffset: 2 });
  for (let i = 0; i < 500; i++) hard.ask("203.0.113.7");
  assert.equal(hard.ask("203.0.113.7", { userAgent: "curl/8.5.0" }).exponent, 5);
});

test("a rush on the site costs everybody at most two doublings", async () => {
  const { ask } = await grounds();
  for (let i = 0; i < 1000; i++) ask(`10.${i >> 8}.${i & 255}.1`);
  assert.equal(ask("192.0.2.9").exponent, 2);
});

test("a browser without WebAssembly gets the fallback, twelve times a minute for its network, then the full work", async () => {
  const { ask } = await grounds();
  const given = Array.from({ length: 13 }, (_, i) => ask(`203.0.113.${i}`, { wantsFallback: true }).isFallback);
  assert.deepEqual(given, [...new Array(12).fill(true), false]);
  assert.equal(ask("198.51.100.1", { wantsFallback: true }).isFallback, true, "another network has its own quota");
  assert.equal(ask("192.0.2.1").isFallback, false, "nobody gets it unasked");
});

test("SHA-256 needs no WebAssembly and has no fallback to ask for", async () => {
  const { ask } = await grounds({}, 2);
  assert.equal(ask("203.0.113.7", { wantsFallback: true }).isFallback, false);
});
