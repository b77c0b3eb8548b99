import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { checkRate, MINUTE_MS, minuteOf } from "./rate-window.ts";

test("admits exactly the limit in a minute after an idle one (D10, limits)", () => {
  assert.equal(checkRate({ current: 999, previous: 0 }, 1000, 0).isAdmitted, true);
  assert.equal(checkRate({ current: 1000, previous: 0 }, 1000, 0).isAdmitted, false);
  assert.equal(checkRate({ current: 1000, previous: 0 }, 1000, MINUTE_MS - 1).isAdmitted, false);
});

test("weighs the previous minute by how much of it lies within the last 60 s (D10, limits)", () => {
  const full = { current: 0, previous: 1000 };
  assert.equal(checkRate(full, 1000, 7 * MINUTE_MS).isAdmitted, false);
  assert.equal(checkRate(full, 1000, 7 * MINUTE_MS + 59).isAdmitted, false);
  assert.equal(checkRate(full, 1000, 7 * MINUTE_MS + 60).isAdmitted, true);
  assert.equal(checkRate({ current: 499, previous: 1000 }, 1000, MINUTE_MS / 2).isAdmitted, true);
  assert.equal(checkRate({ current: 500, previous: 1000 }, 1000, MINUTE_MS / 2).isAdmitted, false);
});

test("returns the requests that remain after this one, and when the minute ends (D10, limits)", () => {
  const state = checkRate({ current: 12, previous: 0 }, 1000, 5 * MINUTE_MS + 18_500);
  assert.deepEqual(state, {
    isAdmitted: true,
    perMinute: 1000,
    remaining: 987,
    resetsInMs: 41_500,
  });
  assert.equal(checkRate({ current: 1000, previous: 0 }, 1000, 0).remaining, 0);
  assert.equal(checkRate({ current: 0, previous: 5000 }, 1000, 0).remaining, 0);
});

test("never admits more than the limit in any clock minute (D10, limits)", () => {
  const arrivals = fc.array(fc.nat(3 * MINUTE_MS), { maxLength: 200 });
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (times, perMinute) => {
      const counts = new Map<number, number>();
      for (const nowMs of times.sort((a, b) => a - b)) {
        const minute = minuteOf(nowMs);
        const window = { current: counts.get(minute) ?? 0, previous: counts.get(minute - 1) ?? 0 };
        if (checkRate(window, perMinute, nowMs).isAdmitted) counts.set(minute, window.current + 1);
      }
      for (const count of counts.values()) assert.ok(count <= perMinute);
    }),
  );
});

test("returns the earliest millisecond at which a refused request would be admitted (D10, limits)", () => {
  const window = fc.record({ current: fc.nat(30), previous: fc.nat(30) });
  fc.assert(
    fc.property(
      window,
      fc.integer({ min: 1, max: 30 }),
      fc.nat(MINUTE_MS - 1),
      (counts, perMinute, elapsedMs) => {
        const result = checkRate(counts, perMinute, elapsedMs);
        fc.pre(!result.isAdmitted);
        const isAdmittedAt = (nowMs: number) => {
          const later = { current: 0, previous: minuteOf(nowMs) === 1 ? counts.current : 0 };
          return checkRate(minuteOf(nowMs) === 0 ? counts : later, perMinute, nowMs).isAdmitted;
        };
        assert.equal(isAdmittedAt(elapsedMs + result.resetsInMs), true);
        assert.equal(isAdmittedAt(elapsedMs + result.resetsInMs - 1), false);
      },
    ),
    { numRuns: 2000 },
  );
});
