import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metric } from "../domain/metrics.ts";
import type { Site } from "../domain/site.ts";
import { ACCOUNT_ID, createWorld, NOON_MS, type World } from "../fixtures/world.ts";
import { type OutcomeQuery, viewOutcome } from "./view-outcome.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const view = async (query: Partial<OutcomeQuery>) => {
    const asked = { fromMs: NOON_MS, toMs: NOON_MS + HOUR, resolution: "hour", timeZone: "UTC", ...query } as const;
    return (await viewOutcome(world.node, { accountId: ACCOUNT_ID, siteKey: site.siteKey }, asked)) ?? assert.fail();
  };
  return { world, site, secretKey, view };
}

function add(world: World, { siteKey }: Site, atMs: number, counts: Readonly<Partial<Record<Metric, number>>>) {
  return world.store.statistics.add(
    Object.entries(counts).map(([metric, count = 0]) => ({ siteKey, metric: metric as Metric, atMs, count })),
  );
}

test("what visitors and the customer's server did is the funnel, with its rates (spec 1, View Statistics)", async () => {
  const { world, site, secretKey, view } = await shop();
  const empty = await view({});
  assert.deepEqual([empty.passRate, empty.blockRate, empty.isNeverVerified], [null, null, false]);
  assert.deepEqual(empty.countries, []);
  for (const token of [world.mint(site), world.mint(site), world.mint(site), "forged"]) {
    await world.redeem(secretKey, { token });
  }
  await add(world, site, NOON_MS, {
    challenge_issued: 10,
    challenge_solved: 8,
    challenge_blocked: 2,
    token_issued: 6,
    score_requested: 5,
    "solve:7": 8,
    "device:desktop": 6,
    "device:mobile": 2,
    "country:NZ": 1,
    "country:DE": 4,
    "host:a.example": 8,
  });
  const outcome = await view({});
  const sums = { issued: 10, solved: 8, failed: 0, steppedUp: 0, blocked: 2, tokens: 6, verified: 3, refused: 1 };
  assert.deepEqual(outcome.sums, sums);
  assert.deepEqual(outcome.points, [{ startMs: NOON_MS, ...sums }]);
  assert.deepEqual(outcome.refusedByReason, { invalid_signature: 1 });
  assert.deepEqual([outcome.passRate, outcome.blockRate, outcome.scoreRequests], [0.75, 0.25, 5]);
  assert.deepEqual(outcome.devices, [
    { name: "desktop", count: 6 },
    { name: "mobile", count: 2 },
  ]);
  assert.deepEqual(outcome.countries, [
    { name: "DE", count: 4 },
    { name: "NZ", count: 1 },
  ]);
  assert.deepEqual(outcome.hosts, [{ name: "a.example", count: 8 }]);
  assert.deepEqual([outcome.solveTimes.p50Ms, outcome.solveTimes.p95Ms], [1200, 1380]);
});

test("points have no gaps, and each sums up its own time", async () => {
  const { world, site, view } = await shop();
  world.clock.advance(2 * HOUR);
  await add(world, site, NOON_MS + 5 * MINUTE, { challenge_issued: 1 });
  await add(world, site, NOON_MS + HOUR - 1, { challenge_issued: 2 });
  await add(world, site, NOON_MS + HOUR, { challenge_issued: 4 });
  const minutes = await view({ resolution: "minute", toMs: NOON_MS + HOUR });
  assert.deepEqual([minutes.points.length, minutes.sums.issued], [60, 3]);
  assert.deepEqual([minutes.points[5]?.issued, minutes.points[59]?.issued, minutes.points[6]?.issued], [1, 2, 0]);
  assert.deepEqual(
    (await view({ toMs: NOON_MS + 2 * HOUR })).points.map(({ issued }) => issued),
    [3, 4],
  );
  const within = await view({ fromMs: NOON_MS + 1, toMs: NOON_MS + HOUR + 1 });
  assert.deepEqual([within.fromMs, within.toMs], [NOON_MS, NOON_MS + 2 * HOUR], "whole periods");
});

test("however much is asked for, what is kept until now is answered: at most 2,881 points", async () => {
  const { world, site, view } = await shop();
  await add(world, site, NOON_MS, { challenge_issued: 1 });
  const everything = { fromMs: -1e15, toMs: 1e15 };
  for (const [resolution, points] of [
    ["minute", 2881],
    ["hour", 2161],
    ["day", 397],
  ] as const) {
    const outcome = await view({ ...everything, resolution });
    assert.equal(outcome.points.length, points, resolution);
    assert.equal(outcome.points.at(-1)?.issued, 1, resolution);
  }
  assert.ok((await view({ ...everything, resolution: "day", timeZone: "Asia/Tokyo" })).points.length === 397);
  for (const asked of [
    { fromMs: NOON_MS + HOUR, toMs: NOON_MS },
    { fromMs: 1e15, toMs: 2e15 },
    { fromMs: 0, toMs: 1 },
  ]) {
    assert.deepEqual((await view(asked)).points, []);
  }
});

test("days of a time zone begin at its midnight, and all that was counted falls into one of them", async () => {
  const { world, site, view } = await shop();
  const midnight = Date.UTC(2026, 5, 14, 15);
  await add(world, site, midnight - 1, { challenge_issued: 1, "solve:7": 1 });
  await add(world, site, midnight, { challenge_issued: 2, "solve:7": 2 });
  await add(world, site, NOON_MS, { challenge_issued: 4, "solve:7": 4 });
  const asked = { resolution: "day", timeZone: "Asia/Tokyo", fromMs: midnight - HOUR, toMs: NOON_MS + 1 } as const;
  const outcome = await view(asked);
  assert.deepEqual(
    outcome.points.map(({ startMs, issued }) => [startMs, issued]),
    [
      [midnight - DAY, 1],
      [midnight, 6],
    ],
  );
  assert.deepEqual([outcome.fromMs, outcome.toMs], [midnight - DAY, midnight + DAY]);
  assert.equal(outcome.solveTimes.buckets[7]?.count, 7);
  const later = await view({ ...asked, fromMs: midnight });
  assert.equal(later.solveTimes.buckets[7]?.count, 6);
});

test("the days in which clocks change are counted whole, with 23 or 25 hours", async () => {
  const { world, site, view } = await shop();
  const before = Date.UTC(2026, 9, 24, 22);
  world.clock.setTo(before + 3 * DAY);
  for (let hour = 0; hour < 72; hour++) await add(world, site, before + hour * HOUR, { challenge_issued: 1 });
  const asked = { resolution: "day", timeZone: "Europe/Berlin", fromMs: before, toMs: before + 2 * DAY } as const;
  assert.deepEqual(
    (await view(asked)).points.map(({ issued }) => issued),
    [25, 24],
  );
});

test("what is older than hours are kept is answered in days of UTC; so is an unknown time zone", async () => {
  const { view } = await shop();
  const isUtc = (points: readonly { startMs: number }[]): boolean => points.every(({ startMs }) => startMs % DAY === 0);
  const tokyo = { resolution: "day", timeZone: "Asia/Tokyo", toMs: NOON_MS } as const;
  assert.equal(isUtc((await view({ ...tokyo, fromMs: NOON_MS - 90 * DAY })).points), false);
  assert.equal(isUtc((await view({ ...tokyo, fromMs: NOON_MS - 90 * DAY - 1 })).points), true);
  assert.equal(isUtc((await view({ ...tokyo, fromMs: NOON_MS - DAY, timeZone: "Mars/Olympus" })).points), true);
});

test("the first of 90 local days is whole: its hours are still kept (spec 1)", async () => {
  const { world, site, view } = await shop();
  const fromMs = NOON_MS - 90 * DAY;
  await add(world, site, fromMs - 11 * HOUR, { challenge_issued: 7 });
  await world.store.statistics.prune(NOON_MS);
  const outcome = await view({ resolution: "day", timeZone: "Europe/Berlin", fromMs, toMs: NOON_MS });
  assert.equal(outcome.points[0]?.issued, 7);
});

test("tokens that nobody redeems are told", async () => {
  const { world, site, secretKey, view } = await shop();
  await add(world, site, NOON_MS, { token_issued: 1 });
  assert.equal((await view({})).isNeverVerified, true);
  await world.redeem(secretKey, { token: world.mint(site) });
  assert.equal((await view({})).isNeverVerified, false);
});
