import assert from "node:assert/strict";
import { test } from "node:test";
import {
  countTicks,
  linePath,
  MARKERS,
  markerPath,
  nearestIndex,
  place,
  rootPart,
  rootTicks,
} from "./scale.ts";

test("picks round ticks that start at 0 and reach the greatest value", () => {
  assert.deepEqual(countTicks(0), [0, 1]);
  assert.deepEqual(countTicks(3), [0, 1, 2, 3]);
  assert.deepEqual(countTicks(739), [0, 200, 400, 600, 800]);
  for (let max = 1; max < 3_000_000; max = Math.ceil(max * 1.37)) {
    const ticks = countTicks(max);
    assert.ok((ticks.at(-1) ?? 0) >= max, String(max));
    assert.ok(ticks.length >= 2 && ticks.length <= 6, `${max}: ${ticks}`);
    assert.ok(ticks.every(Number.isInteger), `${max}: counts are whole`);
  }
});

test("picks round, rising, separate ticks for a root axis that reach the greatest value", () => {
  assert.deepEqual(rootTicks(4300), [0, 50, 500, 2000, 5000]);
  assert.deepEqual(rootTicks(0), [0, 1]);
  for (let max = 1; max < 3_000_000; max = Math.ceil(max * 1.37)) {
    const ticks = rootTicks(max);
    const top = ticks.at(-1) ?? 0;
    assert.ok(top >= max && ticks.every(Number.isInteger), `${max}: ${ticks}`);
    const parts = ticks.map((tick) => rootPart(tick, top));
    for (let at = 1; at < parts.length; at++)
      assert.ok((parts[at] ?? 0) - (parts[at - 1] ?? 0) >= 0.1, `${max}`);
  }
});

test("places values between both ends, also on an axis without length", () => {
  assert.equal(place(0, 10, 100, 0), 100);
  assert.equal(place(10, 10, 100, 0), 0);
  assert.equal(place(5, 10, 44, 244), 144);
  assert.equal(place(3, 0, 100, 0), 100);
});

test("breaks a line at unknown values, and draws a single point as a dot", () => {
  const draw = (values: (number | null)[]) =>
    linePath(
      values,
      (index) => index,
      (value) => value,
    );
  assert.equal(draw([1, 2, 3]), "M0 1L1 2L2 3");
  assert.equal(draw([1, 2, null, 4, 5]), "M0 1L1 2M3 4L4 5");
  assert.equal(draw([null, 7, null]), "M1 7h0");
  assert.equal(draw([5]), "M0 5h0");
  assert.equal(draw([]), "");
});

test("finds the nearest point from any place, also outside of the chart", () => {
  assert.equal(nearestIndex(44, 44, 244, 5), 0);
  assert.equal(nearestIndex(144, 44, 244, 5), 2);
  assert.equal(nearestIndex(170, 44, 244, 5), 3);
  assert.equal(nearestIndex(-500, 44, 244, 5), 0);
  assert.equal(nearestIndex(5000, 44, 244, 5), 4);
  assert.equal(nearestIndex(100, 44, 244, 1), 0);
  assert.equal(nearestIndex(100, 44, 44, 5), 0);
});

test("gives no two series the same marker", () => {
  const paths = MARKERS.map((_, series) => markerPath(series, 10, 10));
  assert.equal(new Set(paths).size, MARKERS.length);
});
