import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPeak, formatPoint, timeTicks } from "./time-axis.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 5, 2, 22, 0);

function times(count: number, step: number, start = START): number[] {
  return Array.from({ length: count }, (_, index) => start + index * step);
}

const labels = (...args: Parameters<typeof timeTicks>) =>
  timeTicks(...args).map(({ label }) => label);

test("puts ticks at round local times", () => {
  assert.deepEqual(labels(times(60, MINUTE, START + 7 * MINUTE), "minute", "UTC", 8), [
    "22:10",
    "22:20",
    "22:30",
    "22:40",
    "22:50",
    "23:00",
  ]);
  assert.deepEqual(labels(times(24, HOUR), "hour", "Europe/Berlin", 5), [
    "Wed 3",
    "06:00",
    "12:00",
    "18:00",
  ]);
  assert.deepEqual(labels(times(24, HOUR), "hour", "Asia/Kolkata", 5), [
    "06:30",
    "12:30",
    "18:30",
    "Thu 4",
  ]);
});

test("starts days of weeks on Mondays, and shows years as months", () => {
  const weekly = labels(times(30, DAY, Date.UTC(2026, 5, 1)), "day", "UTC", 6);
  assert.deepEqual(weekly, ["Jun 1", "Jun 8", "Jun 15", "Jun 22", "Jun 29"]);
  const monthly = labels(times(396, DAY, Date.UTC(2025, 5, 1)), "day", "UTC", 7);
  assert.deepEqual(monthly, ["Jul", "Sep", "Nov", "2026", "Mar", "May", "Jul"]);
});

test("never draws more ticks than fit, for any length and zone", () => {
  for (const zone of ["UTC", "America/St_Johns", "Pacific/Chatham"]) {
    for (const limit of [2, 4, 9]) {
      for (const count of [1, 7, 60, 400]) {
        for (const [resolution, step] of [
          ["minute", MINUTE],
          ["hour", HOUR],
          ["day", DAY],
        ] as const) {
          const ticks = timeTicks(times(count, step), resolution, zone, limit);
          assert.ok(
            ticks.length >= 1 && ticks.length <= limit,
            `${zone} ${resolution} ${count}: ${ticks.length}`,
          );
          assert.ok(ticks.every(({ index }) => index >= 0 && index < count));
        }
      }
    }
  }
  assert.deepEqual(timeTicks([], "day", "UTC", 5), []);
});

test("formats points and peaks in the chosen zone", () => {
  assert.equal(formatPoint(START, "minute", "Europe/Berlin"), "00:00");
  assert.equal(formatPoint(START, "hour", "Europe/Berlin"), "Wed, Jun 3, 00:00");
  assert.equal(formatPoint(START, "day", "UTC"), "Tue, Jun 2, 2026");
  assert.equal(formatPeak(START, "minute", "UTC"), "at 22:00");
  assert.equal(formatPeak(START, "hour", "UTC"), "on Tuesday at 22:00");
  assert.equal(formatPeak(START, "day", "UTC"), "on Tuesday, June 2");
});

test("dates a day correctly in a zone that is off by half an hour", () => {
  // 18:00 UTC is 23:30 in Kolkata and 23:45 in Kathmandu: the next day begins with that hour.
  const start = Date.UTC(2026, 5, 2, 18);
  for (const zone of ["Asia/Kolkata", "Asia/Kathmandu"]) {
    assert.equal(formatPoint(start, "day", zone), "Wed, Jun 3, 2026");
    assert.equal(formatPeak(start, "day", zone), "on Wednesday, June 3");
    assert.deepEqual(labels(times(2, DAY, start), "day", zone, 5), ["Jun 3", "Jun 4"]);
  }
});
