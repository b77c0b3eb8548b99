import assert from "node:assert/strict";
import { test } from "node:test";
import { isTimeZone, localDayStarts, startOfLocalDay } from "./local-days.ts";

const HOUR = 3_600_000;

/** Lengths in hours of the local days from the one that contains `fromMs` on. */
function dayLengths(timeZone: string, fromMs: number, days: number): number[] {
  const startMs = startOfLocalDay(fromMs, timeZone);
  const starts = localDayStarts(startMs, startMs + (days - 0.5) * 24 * HOUR, timeZone);
  return starts.slice(1).map((start, index) => (start - (starts[index] ?? 0)) / HOUR);
}

test("days begin at local midnight, to the hour, on both sides of Greenwich", () => {
  for (const [timeZone, offsetHours] of [
    ["UTC", 0],
    ["Asia/Tokyo", 9],
    ["America/Bogota", -5],
    ["Pacific/Kiritimati", 14],
    ["Etc/GMT+12", -12],
  ] as const) {
    const midnight = Date.UTC(2026, 5, 15) - offsetHours * HOUR;
    assert.equal(startOfLocalDay(midnight, timeZone), midnight, timeZone);
    assert.equal(startOfLocalDay(midnight - 1, timeZone), midnight - 24 * HOUR, timeZone);
    assert.equal(startOfLocalDay(midnight + 24 * HOUR - 1, timeZone), midnight, timeZone);
    assert.deepEqual(
      localDayStarts(midnight, midnight + 1, timeZone),
      [midnight, midnight + 24 * HOUR],
      timeZone,
    );
  }
});

test("the day when clocks go forward has 23 hours, and the day when they go back has 25", () => {
  assert.deepEqual(dayLengths("Europe/Berlin", Date.UTC(2026, 2, 28, 12), 3), [24, 23, 24]);
  assert.deepEqual(dayLengths("Europe/Berlin", Date.UTC(2026, 9, 24, 12), 3), [24, 25, 24]);
  assert.deepEqual(dayLengths("America/New_York", Date.UTC(2026, 2, 7, 18), 3), [24, 23, 24]);
});

test("a day whose midnight is skipped by the clocks begins with its first hour", () => {
  // In Beirut, clocks go from 23:59 to 01:00 on 29 March 2026.
  assert.deepEqual(dayLengths("Asia/Beirut", Date.UTC(2026, 2, 28, 12), 3), [24, 23, 24]);
});

test("days begin at the nearest full hour in zones that are off by part of an hour", () => {
  const exact = Date.UTC(2026, 5, 14, 18, 15);
  assert.equal(startOfLocalDay(exact + HOUR, "Asia/Kathmandu"), Date.UTC(2026, 5, 14, 18));
  assert.equal(startOfLocalDay(Date.UTC(2026, 5, 15), "Asia/Kolkata"), Date.UTC(2026, 5, 14, 18));
});

test("recognises time zones and nothing else", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/Argentina/Ushuaia"])
    assert.equal(isTimeZone(zone), true, zone);
  for (const text of ["", "Europe/Atlantis", "UTC; DROP TABLE", "x".repeat(5000)])
    assert.equal(isTimeZone(text), false);
});

test("days match the date of every hour, however clocks change", () => {
  const years = {
    "Pacific/Apia": 2011,
    "Antarctica/Troll": 2024,
    "Australia/Lord_Howe": 2024,
    "Africa/Cairo": 2024,
  };
  for (const [timeZone, year] of Object.entries({
    ...years,
    "Africa/Casablanca": 2024,
    "America/Havana": 2024,
  })) {
    const format = new Intl.DateTimeFormat("en", { timeZone, dateStyle: "short" });
    const fromMs = startOfLocalDay(Date.UTC(year, 0, 1, 12), timeZone);
    const toMs = Date.UTC(year + 1, 0, 20);
    const starts: number[] = [];
    for (let hourMs = fromMs; hourMs < toMs + 48 * HOUR; hourMs += HOUR) {
      const isOther = format.format(hourMs + HOUR / 2) !== format.format(hourMs - HOUR / 2);
      if (isOther && (starts.at(-1) ?? 0) < toMs) starts.push(hourMs);
    }
    assert.deepEqual(localDayStarts(fromMs, toMs, timeZone), starts, timeZone);
  }
});
