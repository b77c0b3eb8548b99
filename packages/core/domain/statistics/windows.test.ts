import assert from "node:assert/strict";
import { test } from "node:test";
import { RANGES, type RangeName } from "@stile/protocol/dashboard-statistics";
import fc from "fast-check";
import { ASKED_MS, keptFromMs, PERIOD_MS, startOfPeriod } from "./periods.ts";
import { toWindow, type Window } from "./windows.ts";

const { minute: MINUTE, hour: HOUR, day: DAY } = PERIOD_MS;
const NAMES = Object.keys(RANGES) as RangeName[];
/**
 * Whole hours east and west of Greenwich, parts of an hour, and clocks that change by half an hour
 * and by an hour.
 */
const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/St_Johns",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "Mars/Olympus",
] as const;
const NOON = Date.UTC(2026, 5, 15, 12);

const moments = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) });

function assertWhole({ fromMs, toMs, starts, read }: Window): void {
  assert.equal(starts[0] ?? fromMs, fromMs);
  const edges = [...starts, toMs];
  for (const [index, edge] of edges.entries()) {
    assert.equal(edge % PERIOD_MS[read], 0);
    if (index > 0) assert.ok(edge > (edges[index - 1] ?? edge));
  }
}

test("a range that ends now has exactly its number of points, all kept, and ends with the running one", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...NAMES),
      fc.constantFrom(...ZONES),
      moments,
      (name, timeZone, nowMs) => {
        const window = toWindow(name, timeZone, nowMs);
        assertWhole(window);
        assert.deepEqual(
          [window.starts.length, window.resolution],
          [RANGES[name].periods, RANGES[name].resolution],
        );
        assert.ok((window.starts.at(-1) ?? nowMs) <= nowMs && nowMs < window.toMs);
        assert.ok(window.fromMs >= keptFromMs(window.read, nowMs));
      },
    ),
  );
});

test("a chosen time lies within its points, as far as it is kept and past, with at most 397 points", () => {
  const lengths = fc.integer({ min: 1, max: 420 * DAY });
  const ages = fc.integer({ min: -DAY, max: 420 * DAY });
  fc.assert(
    fc.property(
      ages,
      lengths,
      fc.constantFrom(...ZONES),
      moments,
      (age, length, timeZone, nowMs) => {
        const asked = { fromMs: nowMs - age, toMs: nowMs - age + length };
        const window = toWindow(asked, timeZone, nowMs);
        assertWhole(window);
        assert.ok(window.starts.length <= 397);
        assert.ok(window.fromMs >= keptFromMs(window.read, nowMs));
        if (window.starts.length === 0) return;
        // Days of zones that are off by part of an hour are cut up to half an hour from their
        // midnight.
        const slack = window.resolution === "day" ? HOUR / 2 : 0;
        const keptMs = startOfPeriod(window.resolution, nowMs - ASKED_MS[window.resolution]);
        assert.ok(window.fromMs <= Math.max(asked.fromMs, keptMs));
        assert.ok(window.toMs >= Math.min(asked.toMs, nowMs) - slack);
      },
    ),
  );
});

test("24 hours are this hour and the 23 before it, in every zone and at both ends of an hour", () => {
  for (const timeZone of ZONES) {
    for (const nowMs of [NOON, NOON + HOUR - 1]) {
      const { fromMs, toMs } = toWindow("24h", timeZone, nowMs);
      assert.deepEqual([fromMs, toMs], [NOON - 23 * HOUR, NOON + HOUR], timeZone);
    }
  }
});

test("days are those of the time zone as long as hours are kept, and are labelled so", () => {
  const berlin = toWindow("30d", "Europe/Berlin", NOON);
  assert.deepEqual(
    [berlin.fromMs, berlin.toMs],
    [Date.UTC(2026, 4, 16, 22), Date.UTC(2026, 5, 15, 22)],
  );
  assert.deepEqual([berlin.read, berlin.timeZone], ["hour", "Europe/Berlin"]);
  const year = toWindow("13m", "Europe/Berlin", NOON);
  assert.deepEqual([year.toMs, year.read, year.timeZone], [Date.UTC(2026, 5, 16), "day", "UTC"]);
  assert.equal(toWindow("30d", "Mars/Olympus", NOON).timeZone, "UTC");
  const days = (fromMs: number) => toWindow({ fromMs, toMs: NOON }, "Asia/Tokyo", NOON);
  assert.equal(days(NOON - 90 * DAY).timeZone, "Asia/Tokyo");
  assert.equal(days(NOON - 90 * DAY - 1).timeZone, "UTC");
  assert.equal(
    toWindow("24h", "Asia/Tokyo", NOON).timeZone,
    "Asia/Tokyo",
    "hours are named in the zone",
  );
});

test("a chosen time from midnight to midnight has as many points as days, in every zone", () => {
  for (const [timeZone, offsetMinutes] of [
    ["Asia/Tokyo", 540],
    ["Asia/Kolkata", 330],
    ["Asia/Kathmandu", 345],
    ["Pacific/Marquesas", -570],
    ["Australia/Lord_Howe", 630],
  ] as const) {
    const midnight = Date.UTC(2026, 5, 3) - offsetMinutes * MINUTE;
    const { starts } = toWindow({ fromMs: midnight, toMs: midnight + 10 * DAY }, timeZone, NOON);
    assert.equal(starts.length, 10, timeZone);
  }
});

test("a chosen time has the finest resolution that is kept and that a chart can show", () => {
  const at = (fromMs: number, hours: number) =>
    toWindow({ fromMs, toMs: fromMs + hours * HOUR }, "UTC", NOON).resolution;
  assert.equal(at(NOON - 2 * HOUR, 2), "minute");
  assert.equal(at(NOON - 47 * HOUR, 3), "minute");
  assert.equal(at(NOON - 49 * HOUR, 3), "hour", "minutes are gone after 48 hours");
  assert.equal(at(NOON - 20 * HOUR, 4), "hour", "more than three hours of minutes fill no chart");
  assert.equal(at(NOON - 91 * DAY, 3), "day", "hours are gone after 90 days");
  assert.equal(at(NOON - 30 * DAY, 9 * 24), "day");
});

test("expired and future times have no points", () => {
  for (const asked of [
    { fromMs: 0, toMs: 1 },
    { fromMs: NOON + 2 * DAY, toMs: NOON + 3 * DAY },
    { fromMs: 1e15, toMs: 2e15 },
  ]) {
    for (const timeZone of ZONES)
      assert.deepEqual(toWindow(asked, timeZone, NOON).starts, [], timeZone);
  }
});
