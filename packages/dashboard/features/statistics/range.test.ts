import assert from "node:assert/strict";
import { test } from "node:test";
import { RANGES, type RangeName } from "@stile/protocol/dashboard-statistics";
import { rangeQuerySchema } from "@stile/protocol/schemas/dashboard";
import {
  PRESETS,
  readView,
  type StatisticsView,
  toCustom,
  toRangeQuery,
  toViewQuery,
} from "./range.ts";

const NOW = Date.UTC(2026, 5, 3, 12, 0, 30);
const HOUR = 3_600_000;
const OWN = "Europe/Berlin";

/** The view that results from reading this view's address. */
function reread(view: StatisticsView): StatisticsView {
  const query = toViewQuery(view, OWN);
  const texts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return readView(Object.fromEntries(texts), OWN);
}

test("shows the last 24 hours in the browser's zone for a bare address", () => {
  assert.deepEqual(readView({}, OWN), { range: { kind: "preset", preset: "24h" }, timeZone: OWN });
});

test("offers every range that the service knows", () => {
  assert.deepEqual(Object.keys(PRESETS), Object.keys(RANGES));
});

test("keeps every choice in the address", () => {
  for (const preset of Object.keys(PRESETS) as RangeName[]) {
    const view: StatisticsView = { range: { kind: "preset", preset }, timeZone: "America/Lima" };
    assert.deepEqual(reread(view), view);
  }
  const fromMs = Date.UTC(2026, 0, 1, 3, 5);
  const custom: StatisticsView = {
    range: { kind: "custom", fromMs, toMs: fromMs + HOUR },
    timeZone: OWN,
  };
  assert.deepEqual(reread(custom), custom);
});

test("falls back from an invalid address and never throws", () => {
  const nonsense = [
    { range: "constructor" },
    { range: "9y", zone: "Nowhere/Land" },
    { from: "x", to: "y" },
    { from: "2026-01-02T00:00Z", to: "2026-01-01T00:00Z" },
    { from: "2026-01-02T00:00Z" },
  ];
  for (const query of nonsense) {
    assert.deepEqual(readView(query, OWN), {
      range: { kind: "preset", preset: "24h" },
      timeZone: OWN,
    });
  }
});

test("asks the service for a range by its name, and for a chosen time by its ends, in the chosen zone", () => {
  const chosen = { kind: "custom", fromMs: NOW - HOUR, toMs: NOW } as const;
  assert.deepEqual(toRangeQuery({ range: { kind: "preset", preset: "30d" }, timeZone: OWN }), {
    range: "30d",
    timeZone: OWN,
  });
  assert.deepEqual(toRangeQuery({ range: chosen, timeZone: OWN }), {
    from: NOW - HOUR,
    to: NOW,
    timeZone: OWN,
  });
});

test("asks for all data if a year is mistyped, and never for a time that the service refuses", () => {
  const ask = (from: string, to: string) => {
    const query = toRangeQuery(readView({ from, to }, OWN));
    return rangeQuerySchema.safeParse({ ...query, from: `${query.from}`, to: `${query.to}` })
      .success;
  };
  assert.ok(ask("1900-01-01T00:00Z", "2026-01-01T00:00Z"));
  assert.ok(ask("2026-01-01T00:00Z", "+020260-01-01T00:00Z"));
});

test("begins a custom range with the range whose figures are shown, or with the last day", () => {
  assert.deepEqual(toCustom({ fromMs: 1, toMs: 2 }, NOW), { kind: "custom", fromMs: 1, toMs: 2 });
  assert.deepEqual(toCustom(undefined, NOW), {
    kind: "custom",
    fromMs: NOW - 24 * HOUR,
    toMs: NOW,
  });
});
