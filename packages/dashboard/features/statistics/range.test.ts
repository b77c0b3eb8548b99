import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESETS, type PresetName, readView, toSpan, toViewQuery, type View } from "./range.ts";

const NOW = Date.UTC(2026, 5, 3, 12, 0, 30);
const HOUR = 3_600_000;
const OWN = "Europe/Berlin";

/** What the address would hand back. */
function reread(view: View): View {
  const query = toViewQuery(view, OWN);
  const texts = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return readView(Object.fromEntries(texts), OWN);
}

test("a bare address shows the last 24 hours in the browser's zone", () => {
  assert.deepEqual(readView({}, OWN), { range: { kind: "preset", preset: "24h" }, timeZone: OWN });
});

test("every choice survives the address", () => {
  for (const preset of Object.keys(PRESETS) as PresetName[]) {
    const view: View = { range: { kind: "preset", preset }, timeZone: "America/Lima" };
    assert.deepEqual(reread(view), view);
  }
  const fromMs = Date.UTC(2026, 0, 1, 3, 5);
  const custom: View = { range: { kind: "custom", fromMs, toMs: fromMs + HOUR }, timeZone: OWN };
  assert.deepEqual(reread(custom), custom);
});

test("nonsense in the address falls back and never throws", () => {
  const nonsense = [
    { range: "constructor" },
    { range: "9y", zone: "Nowhere/Land" },
    { from: "x", to: "y" },
    { from: "2026-01-02T00:00Z", to: "2026-01-01T00:00Z" },
    { from: "2026-01-02T00:00Z" },
  ];
  for (const query of nonsense) {
    assert.deepEqual(readView(query, OWN), { range: { kind: "preset", preset: "24h" }, timeZone: OWN });
  }
});

test("a range that ends now holds the present moment, has its full length, and stays the same within a minute", () => {
  for (const preset of Object.keys(PRESETS) as PresetName[]) {
    const span = toSpan({ kind: "preset", preset }, NOW);
    assert.ok(span.toMs > NOW);
    assert.equal(span.toMs - span.fromMs, PRESETS[preset].ms);
    assert.deepEqual(toSpan({ kind: "preset", preset }, NOW + 29_000), span);
    assert.notDeepEqual(toSpan({ kind: "preset", preset }, NOW + 31_000), span);
  }
});

test("a chosen span is as fine as its counts are kept", () => {
  const at = (fromMs: number, hours: number) =>
    toSpan({ kind: "custom", fromMs, toMs: fromMs + hours * HOUR }, NOW).resolution;
  assert.equal(at(NOW - 2 * HOUR, 2), "minute");
  assert.equal(at(NOW - 47 * HOUR, 3), "minute");
  assert.equal(at(NOW - 49 * HOUR, 3), "hour", "minutes are gone after 48 hours");
  assert.equal(at(NOW - 20 * HOUR, 4), "hour", "more than three hours of minutes fill no chart");
  assert.equal(at(NOW - 91 * 24 * HOUR, 3), "day", "hours are gone after 90 days");
  assert.equal(at(NOW - 30 * 24 * HOUR, 9 * 24), "day");
});
