import assert from "node:assert/strict";
import { test } from "node:test";
import { toSteps, turnBetween } from "./steps.ts";

test("computes the time, length, speed and heading between samples", () => {
  const { gaps, lengths, speeds, headings, total, duration } = toSteps({
    t: [0, 10, 30],
    x: [0, 3, 3],
    y: [0, 4, 14],
  });
  assert.deepEqual([...gaps], [10, 20]);
  assert.deepEqual([...lengths], [5, 10]);
  assert.deepEqual([...speeds], [0.5, 0.5]);
  assert.deepEqual([...headings], [Math.atan2(4, 3), Math.PI / 2]);
  assert.deepEqual([total, duration], [15, 30]);
});

test("keeps the heading if nothing moved, and counts no time below 1 ms", () => {
  const { gaps, headings } = toSteps({ t: [0, 0, 5], x: [0, 0, 0], y: [0, 7, 7] });
  assert.deepEqual([...gaps], [1, 5]);
  assert.deepEqual([...headings], [Math.PI / 2, Math.PI / 2]);
});

test("measures a turn as at most half a circle, in either direction", () => {
  assert.ok(Math.abs(turnBetween(3, -3) - (2 * Math.PI - 6)) < 1e-12);
  assert.ok(Math.abs(turnBetween(-3, 3) + (2 * Math.PI - 6)) < 1e-12);
  assert.equal(turnBetween(0.5, 1), 0.5);
});
