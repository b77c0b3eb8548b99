import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRate, minuteOf } from "@stile/core/domain/rate-window";
import fc from "fast-check";
import { countOverLimit, roomUntil } from "./check-limit.ts";

const LIMIT = 60;
const MINUTE = 29_000_000 * 60_000;

test("accepts a full minute, and one more a second in the next; finds one too many (D10, limits)", () => {
  const full = Array.from({ length: LIMIT }, (_, at) => MINUTE - 60_000 + at);
  const next = Array.from({ length: 5 }, (_, at) => MINUTE + (at + 1) * 1000);
  assert.equal(countOverLimit([...next, ...full], LIMIT), 0);
  assert.equal(countOverLimit([...full, MINUTE - 1], LIMIT), 1);
  assert.equal(countOverLimit([...full, ...next, MINUTE + 4999], LIMIT), 1);
  assert.equal(roomUntil(MINUTE + 5999, LIMIT, LIMIT), 5);
});

test("a limiter that follows the rule never exceeds it, and is full after enough requests (D10, limits)", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(119_999), { maxLength: 200 }), (offsets) => {
      const asked = offsets.map((offset) => MINUTE + offset).sort((a, b) => a - b);
      const admitted: number[] = [];
      const countIn = (minute: number): number =>
        admitted.filter((atMs) => minuteOf(atMs) === minute).length;
      for (const atMs of asked) {
        const minute = minuteOf(atMs);
        const window = { current: countIn(minute), previous: countIn(minute - 1) };
        if (checkRate(window, LIMIT, atMs).isAdmitted) admitted.push(atMs);
      }
      assert.equal(countOverLimit(admitted, LIMIT), 0);
      const flood = Array.from({ length: LIMIT }, () => asked.at(-1) ?? MINUTE);
      const last = flood[0] ?? MINUTE;
      for (const atMs of flood) {
        const window = { current: countIn(minuteOf(last)), previous: countIn(minuteOf(last) - 1) };
        if (checkRate(window, LIMIT, atMs).isAdmitted) admitted.push(atMs);
      }
      assert.equal(
        Math.max(countIn(minuteOf(last)), roomUntil(last, countIn(minuteOf(last) - 1), LIMIT)),
        countIn(minuteOf(last)),
      );
    }),
    { numRuns: 300 },
  );
});
