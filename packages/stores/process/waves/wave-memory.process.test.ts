import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { PLACES, USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { knownSite, runWave, toCounted, watchedSite } from "@stile/testkit/visits/waves";
import { createWaveMemory } from "./wave-memory.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const WORLD = { ...USUAL_MIX, places: PLACES.world };
const OFFICE = { ...USUAL_MIX, devices: [["windows", 90] as const, ["mac", 10] as const] };
const PHONES = { ...USUAL_MIX, devices: [["iphone", 70] as const, ["android", 30] as const] };
const SEEDS = [1, 2, 3];
setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const oneComputer = (site: ReturnType<typeof watchedSite>) =>
  visitorOf({ ...USUAL_MIX, devices: [["windows", 1]] }, site.random);

for (const [place, mix, perHour] of [
  ["a site of one country with 120 visits an hour", USUAL_MIX, 120],
  ["a site of the whole world with 1,000 visits an hour", WORLD, 1000],
] as const) {
  for (const forger of ["the same each time", "fresh behaviour"] as const) {
    test(`flags 9 in 10 of a wave after its first 20 visits, and at most 1 in 100 real visitors, on ${place}: ${forger}`, (t) => {
      for (const size of [50, 500, 5000]) {
        const runs = SEEDS.map((seed) => runWave(knownSite(seed, mix, perHour), mix, forger, size));
        const ofWave = runs.reduce((sum, run) => sum + run.ofWave, 0) / runs.length;
        const ofHonest = runs.reduce((sum, run) => sum + run.ofHonest, 0) / runs.length;
        t.diagnostic(
          `${size} forged amid 300: ${(100 * ofWave).toFixed(1)}% flagged, people ${(100 * ofHonest).toFixed(2)}%`,
        );
        assert.ok(ofWave >= 0.9, `${size}: ${ofWave}`);
        assert.ok(ofHonest <= 0.01, `${size}: ${ofHonest} of the people`);
      }
    });
  }
}

test("flags many visits with varied screens and processors, or languages, by their other properties", () => {
  for (const forger of [
    "fresh behaviour, 4 screens, 4 processors",
    "fresh behaviour, languages of people",
  ] as const) {
    const { ofWave } = runWave(knownSite(1, USUAL_MIX, 120), USUAL_MIX, forger, 500);
    assert.ok(ofWave >= 0.9, `${forger}: ${ofWave}`);
  }
});

test("flags neither a wave that copies real visitors in every property, nor these visitors", () => {
  const { ofWave, ofHonest } = runWave(
    knownSite(1, USUAL_MIX, 120),
    USUAL_MIX,
    "everything as people have it",
    5000,
  );
  assert.ok(ofWave < 0.01 && ofHonest <= 0.01);
});

test("flags nobody when a newsletter brings ten times the usual visitors, of all devices or only phones", () => {
  for (const seed of SEEDS) {
    assert.equal(knownSite(seed, USUAL_MIX, 120).visit(USUAL_MIX, 1200, HOUR), 0);
    assert.equal(knownSite(seed, USUAL_MIX, 120).visit(PHONES, 1200, HOUR), 0);
  }
});

test("flags at most 1 in 100 of a new audience: phones of another country on a site of office computers", () => {
  const abroad = { ...PHONES, places: WORLD.places.slice(0, 3) };
  for (const seed of SEEDS) {
    assert.ok(knownSite(seed, OFFICE, 120).visit(abroad, 3000, HOUR) <= 30);
    assert.ok(
      knownSite(seed, OFFICE, 120).visit({ ...PHONES, devices: [["iphone", 1]] }, 3000, HOUR) <= 30,
    );
  }
});

test("flags at most 1 in 1,000 when a browser release moves everybody within two days", () => {
  const site = knownSite(1, USUAL_MIX, 400);
  let flagged = 0;
  for (let hour = 0; hour < 60; hour++) {
    flagged += site.visit({ ...USUAL_MIX, onNext: Math.min(1, 0.02 + hour / 48) }, 400, HOUR);
  }
  assert.ok(flagged <= 24, `${flagged} of 24,000`);
});

test("flags at most 1 in 1,000 when another half of the world visits at night, on phones instead of desktops", () => {
  const site = watchedSite(1);
  let flagged = 0;
  for (let hour = 0; hour < 48; hour++) {
    const isDay = hour % 24 > 8 && hour % 24 < 17;
    const places = isDay ? PLACES.national : ([[[["ja"], "Asia/Tokyo"], 1]] as const);
    flagged += site.visit({ ...(isDay ? OFFICE : PHONES), places }, isDay ? 1000 : 200, HOUR);
  }
  assert.ok(flagged <= 22, `${flagged} of 22,400`);
});

test("flags nobody of a school class on 30 identical computers behind one address, within a minute", () => {
  for (const seed of SEEDS) {
    const site = knownSite(seed, USUAL_MIX, 120);
    const computer = oneComputer(site);
    for (let i = 0; i < 30; i++) {
      site.pass(2 * SECOND);
      assert.equal(site.submit(computer, 77), undefined);
    }
  }
});

test("flags none of a new site's first 300 visits, even on identical computers, nor any where one class has 80%", () => {
  const site = watchedSite(1);
  const computer = oneComputer(site);
  for (let i = 0; i < 300; i++) {
    site.pass(20 * SECOND);
    assert.equal(site.memory.list("pk_1", site.nowMs()).isLearning, true);
    assert.equal(site.submit(computer), undefined);
  }
  for (let i = 0; i < 1500; i++) {
    site.pass(20 * SECOND);
    const surge = site.submit(site.random() < 0.8 ? computer : visitorOf(USUAL_MIX, site.random));
    assert.equal(surge, undefined);
  }
  assert.equal(site.memory.list("pk_1", site.nowMs()).isLearning, false);
});

test("lists a wave once, with its start and the usual number, and as over after its last visit", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  runWave(site, USUAL_MIX, "fresh behaviour", 500);
  const [wave, ...others] = site.memory.list("pk_1", site.nowMs()).waves;
  assert.ok(wave !== undefined && others.length === 0);
  assert.ok(wave.visits >= 450 && wave.visits <= 520, `${wave.visits}`);
  assert.ok(wave.peak.expected < 30 && wave.peak.visits > 10 * wave.peak.expected);
  assert.ok(
    wave.lastAtMs - wave.sinceMs > 8 * MINUTE && wave.lastAtMs - wave.sinceMs < 10 * MINUTE,
  );
  assert.equal(wave.isOver, false);
  site.visit(USUAL_MIX, 600, 30 * MINUTE);
  assert.equal(site.memory.list("pk_1", site.nowMs()).waves[0]?.isOver, true);
  site.pass(24 * HOUR);
  assert.deepEqual(site.memory.list("pk_1", site.nowMs()).waves, []);
});

test("does not learn a wave as usual while it lasts: flags the next one of the same kind, too", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const base = oneComputer(site);
  for (let wave = 0; wave < 4; wave++) {
    site.visit(USUAL_MIX, 360, 3 * HOUR);
    let flagged = 0;
    for (let i = 0; i < 200; i++) {
      site.pass(3 * SECOND);
      if (
        site.submit({ ...base, behaviour: visitorOf(USUAL_MIX, site.random).behaviour }) !==
        undefined
      )
        flagged++;
    }
    assert.ok(flagged >= 150, `wave ${wave}: ${flagged} of 200`);
  }
});

test("takes a class that stays for a day as usual, so that a site's own new computers are not flagged forever", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const computer = oneComputer(site);
  const day = (): number => {
    let flagged = 0;
    for (let i = 0; i < 24 * 60; i++) {
      site.pass(MINUTE);
      if (site.submit(i % 2 === 0 ? computer : visitorOf(USUAL_MIX, site.random)) !== undefined)
        flagged++;
    }
    return flagged;
  };
  assert.ok(day() > 600);
  day();
  assert.equal(day(), 0);
});

test("refuses a class until the given moment, surging or not, and no other class", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  runWave(site, USUAL_MIX, "the same each time", 500);
  const untilMs = site.nowMs() + HOUR;
  const [wave] = site.memory.list("pk_1", site.nowMs()).waves;
  site.memory.refuse("pk_1", wave?.waveId ?? "", untilMs);
  assert.equal(site.memory.list("pk_1", site.nowMs()).waves[0]?.refusedUntilMs, untilMs);
  const again = knownSite(1, USUAL_MIX, 120);
  const base = visitorOf({ ...USUAL_MIX, devices: [["windows", 1]] }, again.random);
  const isRefused = (visit: typeof base, nowMs: number): boolean =>
    site.memory.find("pk_1", toCounted(visit, 5), nowMs).isRefused;
  assert.deepEqual([isRefused(base, untilMs - 1), isRefused(base, untilMs)], [true, false]);
  assert.equal(isRefused(visitorOf(PHONES, again.random), untilMs - 1), false);
});

test("needs no more memory, hides no wave and flags nobody under a million new classes", (t) => {
  const memory = createWaveMemory({ maxSites: 2 });
  const site = knownSite(1, USUAL_MIX, 120);
  const used = (): number => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const flood = (count: number, to: typeof memory): void => {
    for (let i = 0; i < count; i++) {
      const digest = (at: number): number => Math.floor(site.random() * 2 ** 32) ^ at;
      const classes = [0, 1, 2, 3].map((at) => ({
        now: digest(at) >>> 0,
        usual: digest(at) >>> 0,
      }));
      to.record(
        "pk_1",
        { era: 1, network: i, classes, crowds: [digest(4) >>> 0, digest(5) >>> 0] },
        site.nowMs() + i,
      );
    }
  };
  flood(1000, memory);
  const before = used();
  flood(1_000_000, memory);
  const grownBytes = used() - before;
  t.diagnostic(`grown by ${(grownBytes / 1024).toFixed(0)} KiB`);
  assert.ok(grownBytes < 2 ** 20, `${grownBytes} bytes`);

  const isFlagged = (visit: Parameters<typeof site.submit>[0]): boolean =>
    site.submit(visit) !== undefined;
  flood(20_000, site.memory);
  site.pass(20 * SECOND);
  const people = Array.from({ length: 300 }, () => isFlagged(visitorOf(USUAL_MIX, site.random)));
  assert.ok(people.filter(Boolean).length <= 3);
  const computer = oneComputer(site);
  const wave = Array.from({ length: 3000 }, () =>
    isFlagged({ ...computer, behaviour: visitorOf(USUAL_MIX, site.random).behaviour }),
  );
  assert.ok(wave.slice(1500).filter(Boolean).length >= 1350);
});

test("counts visits that are scored at the same time for one another, until they are released", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const counted = toCounted(oneComputer(site), 0);
  const releases: (() => void)[] = [];
  const isFlagged = (network: number): boolean => {
    const visit = { ...counted, network };
    const hasSurge = site.memory.find("pk_1", visit, site.nowMs()).surge !== undefined;
    releases.push(site.memory.addPending("pk_1", visit));
    return hasSurge;
  };
  const flagged = Array.from({ length: 300 }, (_, network) => isFlagged(network));
  assert.ok(!flagged.slice(0, 14).includes(true) && !flagged.slice(-100).includes(false));
  for (const release of releases) release();
  assert.equal(isFlagged(300), false);
});

test("flags no school of identical computers behind one address that submits at once", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const visit = { ...toCounted(oneComputer(site), 77) };
  for (let i = 0; i < 60; i++) site.memory.addPending("pk_1", visit);
  assert.equal(site.memory.find("pk_1", visit, site.nowMs()).surge, undefined);
});
