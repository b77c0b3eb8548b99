import assert from "node:assert/strict";
import { test } from "node:test";
import { freeEarnings, NOT_COUNTED, stepOf, usualOf } from "./usual-earnings.ts";

test("three times the usual busiest network is free, at least 30 tokens and at most the maximum (D10, limits)", () => {
  assert.deepEqual(
    [0, 4, 10, 11, 48, 199, 200, 5000, NOT_COUNTED, undefined].map((usual) =>
      freeEarnings(600, usual),
    ),
    [30, 30, 30, 33, 144, 597, 600, 600, 600, 600],
  );
  assert.equal(freeEarnings(12, 0), 12, "an operator's lower limit holds");
  assert.equal(
    freeEarnings(6000, 0),
    300,
    "an operator's higher limit raises what is free everywhere",
  );
});

test("four of seven days decide the usual: a bot of three days and a quiet weekend change nothing (D10, limits)", () => {
  assert.equal(usualOf([40, 40, 40, 40, 500, 500, 500]), 40);
  assert.equal(usualOf([40, 40, 40, 40, 40, 0, 0]), 40);
  assert.equal(usualOf([0, 0, 0, 0, 0, 0, 0]), 0);
  assert.equal(usualOf([0, 0, 0, NOT_COUNTED, NOT_COUNTED, NOT_COUNTED, NOT_COUNTED]), NOT_COUNTED);
});

test("a day's busiest network is known to within a fifth, and no day has more than 44 numbers (D10, limits)", () => {
  assert.deepEqual(
    [0, 1, 9, 10, 11, 12, 200, 1e9].map((redeemed) => stepOf(redeemed).step),
    [0, 1, 1, 10, 10, 12, 184, 21_164],
  );
  const steps = new Set<number>();
  for (let redeemed = 10; redeemed < 22_000; redeemed++) {
    const { step, next } = stepOf(redeemed);
    assert.ok(step <= redeemed && redeemed < next, `${redeemed}`);
    assert.ok(redeemed === 10 || redeemed < 1.25 * step, `${redeemed}: ${step}`);
    steps.add(step);
  }
  assert.equal(steps.size, 43);
});
