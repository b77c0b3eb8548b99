import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { knownSite } from "@stile/testkit/visits/waves";
import { createWaveMemory } from "./wave-memory.ts";

/** The class of a rare device: six in a thousand visits of a busy site have it. */
const RARE = { digest: 9, share: 0.006 };

/**
 * A site with 100 visits a second, each from another network. It has learnt these at 30 a minute.
 */
function busySite() {
  const memory = createWaveMemory({ maxSites: 1 });
  const random = createRandom(5);
  let nowMs = 0;
  const anywhere = (): number => Math.floor(random() * 2 ** 32);
  const submit = (device: number, network = anywhere()): boolean => {
    const classes = [device, anywhere()].map((digest) => ({ now: digest, usual: digest }));
    const visit = { era: 1, network, classes, crowds: [1, 2] };
    const { surge } = memory.find("pk_1", visit, nowMs);
    memory.record("pk_1", visit, nowMs);
    return surge !== undefined;
  };
  /** A visitor with the rare device or one of 100 others. Returns whether the visit was flagged. */
  const visit = (everyMs: number): { readonly isRare: boolean; readonly isFlagged: boolean } => {
    nowMs += everyMs;
    const isRare = random() < RARE.share;
    return { isRare, isFlagged: submit(isRare ? RARE.digest : 1000 + Math.floor(100 * random())) };
  };
  for (let i = 0; i < 9_000; i++) visit(2_000);
  for (let i = 0; i < 60_000; i++) visit(10);
  return { submit, visit };
}

/**
 * Adds visits of the rare class to 60,000 others within ten minutes. Returns how many visitors with
 * that device and how many added visits were flagged.
 */
function bringAmid(site: ReturnType<typeof busySite>, network: (at: number) => number) {
  const flagged = { people: 0, brought: 0 };
  for (let i = 0; i < 60_000; i++) {
    const { isFlagged } = site.visit(10);
    if (isFlagged) flagged.people++;
    if (i % 10 === 0 && site.submit(RARE.digest, network(i))) flagged.brought++;
  }
  return flagged;
}

test("flags nobody on a very busy site when three networks send thousands of visits with a rare device", () => {
  assert.deepEqual(
    bringAmid(busySite(), (at) => 101 + (at % 3)),
    { people: 0, brought: 0 },
  );
});

test("flags a wave on the same site when as many visits come from as many networks", () => {
  const { brought } = bringAmid(busySite(), (at) => 2 ** 20 + 77_777 * at);
  assert.ok(brought > 1_500, `${brought} of 6,000`);
});

test("flags a fleet although one network tried to make its program usual beforehand", (t) => {
  const site = knownSite(1, USUAL_MIX, 120);
  const base = visitorOf({ ...USUAL_MIX, devices: [["windows", 1]] }, site.random);
  const forge = () => ({ ...base, behaviour: visitorOf(USUAL_MIX, site.random).behaviour });
  for (let i = 0; i < 6 * 120; i++) {
    site.pass(30_000);
    site.submit(visitorOf(USUAL_MIX, site.random));
    site.submit(forge(), 77);
  }
  let flagged = 0;
  for (let i = 0; i < 300; i++) {
    site.pass(1_000);
    if (site.submit(forge()) !== undefined) flagged++;
  }
  t.diagnostic(`${flagged} of 300 flagged`);
  assert.ok(flagged >= 200, `${flagged} of 300`);
});
