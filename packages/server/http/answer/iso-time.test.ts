import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isoTime } from "./iso-time.ts";

test("writes a time as ISO 8601 in UTC, whatever was written before it (spec 2.1)", () => {
  const time = fc.oneof(
    fc.integer({ min: 0, max: 2000 }),
    fc.integer({ min: -5000, max: 4_102_444_800_000 }),
    // Seconds that share a place in the cache.
    fc.integer({ min: 0, max: 9 }).map((times) => 1_800_000_000_000 + times * 512_000),
  );
  fc.assert(
    fc.property(fc.array(time), (times) => {
      for (const ms of times) assert.equal(isoTime(ms), new Date(ms).toISOString());
    }),
  );
  assert.equal(isoTime(12.9), "1970-01-01T00:00:00.012Z");
});
