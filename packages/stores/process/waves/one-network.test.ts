import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { knownSite } from "@stile/testkit/visits/waves";
import { createWaveMemory } from "./wave-memory.ts";

/** The class of a rare device, of which a busy site sees six visits in a thousand. */
const RARE = { digest: 9, share: 0.006 };

/**
 * A site with 100 visits a second, each from a network of its own, that has learnt them at 30 a
 * minute.
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
  /**
   * One of the site's visitors, with a rare device or with one of a hundred; whether they were
   * flagged.
   */
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
 * Visits of the rare class among 60,000 others within ten minutes, and how many of the people with
 * that device are flagged.
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

test("on a very busy site three networks that send thousands of visits have nobody with that device taken for a wave", () => {
  assert.deepEqual(
    bringAmid(busySite(), (at) => 101 + (at % 3)),
    { people: 0, brought: 0 },
  );
});

test("there, as many visits from as many networks are one", () => {
  const { brought } = bringAmid(busySite(), (at) => 2 ** 20 + 77_777 * at);
  assert.ok(brought > 1_500, `${brought} of 6,000`);
});

test("nobody makes a program usual from one network: the fleet that comes then is a wave", (t) => {
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
