import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as pause } from "node:timers/promises";
import { ACCOUNT_ID, createWorld, NOON_MS, type World } from "@stile/testkit/world/world";
import type { Site } from "../../domain/site/site.ts";
import type { Metric } from "../../domain/statistics/metrics.ts";
import type { Range } from "../../domain/statistics/windows.ts";
import { listSites } from "./list-sites.ts";
import { viewOutcome } from "./view-outcome.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

async function shop() {
  const world = await createWorld();
  const { site, secretKey } = await world.createSite();
  const view = async (range: Range, timeZone = "UTC") => {
    const asked = { range, timeZone };
    return (
      (await viewOutcome(world.node, { accountId: ACCOUNT_ID, siteKey: site.siteKey }, asked)) ??
      assert.fail()
    );
  };
  return { world, site, secretKey, view };
}

function add(
  world: World,
  { siteKey }: Site,
  atMs: number,
  counts: Readonly<Partial<Record<Metric, number>>>,
) {
  return world.store.statistics.add(
    Object.entries(counts).map(([metric, count = 0]) => ({
      siteKey,
      metric: metric as Metric,
      atMs,
      count,
    })),
  );
}

test("the funnel shows the actions of visitors and the customer's server, with their rates (spec 1, View Statistics)", async () => {
  const { world, site, secretKey, view } = await shop();
  const empty = await view("24h");
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
  const outcome = await view("24h");
  const sums = {
    issued: 10,
    solved: 8,
    failed: 0,
    steppedUp: 0,
    priced: 0,
    blocked: 2,
    tokens: 6,
    verified: 3,
    refused: 1,
  };
  assert.deepEqual(outcome.sums, sums);
  assert.deepEqual(outcome.points.at(-1), { startMs: NOON_MS, ...sums });
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
  const minutes = await view({ fromMs: NOON_MS, toMs: NOON_MS + HOUR });
  assert.deepEqual([minutes.points.length, minutes.sums.issued], [60, 3]);
  assert.deepEqual(
    [minutes.points[5]?.issued, minutes.points[59]?.issued, minutes.points[6]?.issued],
    [1, 2, 0],
  );
  const hours = await view({ fromMs: NOON_MS - 2 * HOUR + 1, toMs: NOON_MS + HOUR + 1 + HOUR });
  assert.deepEqual(
    [hours.fromMs, hours.toMs],
    [NOON_MS - 2 * HOUR, NOON_MS + 3 * HOUR],
    "whole periods",
  );
  assert.deepEqual(
    hours.points.map(({ issued }) => issued),
    [0, 0, 3, 4, 0],
  );
});

test("days of a time zone begin at its midnight, and each count falls into one of them", async () => {
  const { world, site, view } = await shop();
  const midnight = Date.UTC(2026, 5, 14, 15);
  await add(world, site, midnight - 1, { challenge_issued: 1, "solve:7": 1 });
  await add(world, site, midnight, { challenge_issued: 2, "solve:7": 2 });
  await add(world, site, NOON_MS, { challenge_issued: 4, "solve:7": 4 });
  const outcome = await view("30d", "Asia/Tokyo");
  assert.deepEqual(
    outcome.points.slice(-2).map(({ startMs, issued }) => [startMs, issued]),
    [
      [midnight - DAY, 1],
      [midnight, 6],
    ],
  );
  assert.deepEqual([outcome.toMs, outcome.timeZone], [midnight + DAY, "Asia/Tokyo"]);
  assert.equal(outcome.solveTimes.buckets[7]?.count, 7);
});

test("days with a clock change are counted whole, with 23 or 25 hours", async () => {
  const { world, site, view } = await shop();
  const before = Date.UTC(2026, 9, 24, 22);
  world.clock.setTo(before + 3 * DAY);
  for (let hour = 0; hour < 72; hour++)
    await add(world, site, before + hour * HOUR, { challenge_issued: 1 });
  const { points } = await view(
    { fromMs: before - 8 * DAY, toMs: before + 2 * DAY },
    "Europe/Berlin",
  );
  assert.deepEqual(
    points.slice(-2).map(({ issued }) => issued),
    [25, 24],
  );
});

test("shows the first of 90 local days whole, because its hours are still stored (spec 1)", async () => {
  const { world, site, view } = await shop();
  const midnight = Date.UTC(2026, 2, 17, 23);
  await add(world, site, midnight - 1, { challenge_issued: 1 });
  await add(world, site, midnight, { challenge_issued: 7 });
  world.clock.setTo(Date.UTC(2026, 5, 15, 21, 59, 59, 999));
  await world.store.statistics.prune(world.clock.nowMs());
  const outcome = await view("90d", "Europe/Berlin");
  assert.deepEqual(
    [outcome.points.length, outcome.fromMs, outcome.points[0]?.issued],
    [90, midnight, 7],
  );
});

test("tokens that nobody redeems raise a warning", async () => {
  const { world, site, secretKey, view } = await shop();
  await add(world, site, NOON_MS, { token_issued: 1 });
  assert.equal((await view("24h")).isNeverVerified, true);
  await world.redeem(secretKey, { token: world.mint(site) });
  assert.equal((await view("24h")).isNeverVerified, false);
});

test("a chosen time shows whether it is still running; a past one does not warn about unverified tokens", async () => {
  const { world, site, secretKey, view } = await shop();
  await add(world, site, NOON_MS, { token_issued: 100 });
  world.clock.advance(3 * DAY + MINUTE);
  await world.redeem(secretKey, { token: world.mint(site) });
  const nowMs = world.clock.nowMs();
  const told = async (fromMs: number, toMs: number) => {
    const { isLastOpen, isNeverVerified } = await view({ fromMs, toMs });
    return [isLastOpen, isNeverVerified];
  };
  assert.deepEqual(await told(NOON_MS - DAY, NOON_MS + DAY), [false, false]);
  assert.deepEqual(await told(NOON_MS - DAY, nowMs), [true, false]);
  assert.equal((await view("24h")).isLastOpen, true);
  world.clock.advance(DAY);
  await add(world, site, world.clock.nowMs(), { token_issued: 100 });
  assert.deepEqual(await told(world.clock.nowMs() - 4 * HOUR, world.clock.nowMs()), [true, true]);
});

test("a server that stops in the middle of a day is reported after an hour, until it calls again", async () => {
  const { world, site, secretKey, view } = await shop();
  await add(world, site, world.clock.nowMs(), { token_issued: 100, token_redeemed: 80 });
  const told = async () => {
    const { sites } = await listSites(world.node, ACCOUNT_ID, pause);
    return [
      (await view("24h")).isNeverVerified,
      (await view("7d")).isNeverVerified,
      sites[0]?.isNeverVerified,
    ];
  };
  world.clock.advance(HOUR);
  await add(world, site, world.clock.nowMs(), { token_issued: 25 });
  assert.deepEqual(await told(), [false, false, false], "people may be filling in their forms");
  world.clock.advance(HOUR);
  assert.deepEqual(await told(), [true, true, true]);
  await world.redeem(secretKey, { token: world.mint(site) });
  assert.deepEqual(await told(), [false, false, false]);
});

test("a site whose server verifies gets no warning because a few visitors abandoned a form", async () => {
  const { world, site, secretKey, view } = await shop();
  await world.redeem(secretKey, { token: world.mint(site) });
  const told = async () => {
    const { sites } = await listSites(world.node, ACCOUNT_ID, pause);
    return [
      (await view("24h")).isNeverVerified,
      (await view("1h")).isNeverVerified,
      sites[0]?.isNeverVerified,
    ];
  };
  world.clock.advance(6 * DAY);
  await add(world, site, world.clock.nowMs(), { token_issued: 19 });
  assert.deepEqual(await told(), [false, false, false]);
  // Twenty are not chance: the server has stopped.
  await add(world, site, world.clock.nowMs(), { token_issued: 1 });
  assert.deepEqual(await told(), [true, true, true]);
  world.clock.advance(3 * DAY);
  await add(world, site, world.clock.nowMs(), { token_issued: 1 });
  assert.deepEqual(await told(), [true, true, true], "it did not for a week");
});
