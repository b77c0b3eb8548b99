import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLocalInput, isTimeZone, listZones, toLocalInput } from "./zone.ts";

test("knows exactly the IANA zones", () => {
  assert.equal(isTimeZone("Europe/Berlin"), true);
  assert.equal(isTimeZone("UTC"), true);
  assert.equal(isTimeZone("Mars/Olympus"), false);
  assert.equal(isTimeZone("<script>"), false);
});

test("lists each zone once, the own one first, UTC second", () => {
  const zones = listZones("Asia/Kolkata");
  assert.deepEqual(zones.slice(0, 2), ["Asia/Kolkata", "UTC"]);
  assert.equal(new Set(zones).size, zones.length);
  assert.ok(zones.includes("America/New_York"));
});

test("writes and reads wall-clock times of a zone", () => {
  const noon = Date.UTC(2026, 5, 3, 12, 0);
  assert.equal(toLocalInput(noon, "Europe/Berlin"), "2026-06-03T14:00");
  assert.equal(fromLocalInput("2026-06-03T14:00", "Europe/Berlin"), noon);
  assert.equal(fromLocalInput("2026-06-03T17:30", "Asia/Kolkata"), noon);
  assert.equal(fromLocalInput("2026-06-03T12:00", "UTC"), noon);
});

test("converts every hour of the days when clocks change there and back, except the repeated one", () => {
  for (const day of [Date.UTC(2026, 2, 29), Date.UTC(2026, 9, 25)]) {
    for (let hour = 0; hour < 24; hour++) {
      const ms = day + hour * 3_600_000;
      const back = fromLocalInput(toLocalInput(ms, "Europe/Berlin"), "Europe/Berlin") ?? Number.NaN;
      const text = toLocalInput(back, "Europe/Berlin");
      assert.equal(text, toLocalInput(ms, "Europe/Berlin"), new Date(ms).toISOString());
    }
  }
});

test("refuses text that is not a time", () => {
  assert.equal(fromLocalInput("", "UTC"), undefined);
  assert.equal(fromLocalInput("yesterday", "UTC"), undefined);
});
