import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { CURVE_LENGTH, CURVE_REACH, toCurve, UNITS_A_LINE } from "./curve.ts";
import { preparePath, type Segment } from "./segment.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const curveOf = (segment: Segment) => toCurve(preparePath(segment) ?? assert.fail("no path"));
const mapped = (segment: Segment, change: (sample: Segment[number]) => Segment[number]): Segment => segment.map(change);

test("a moved, turned, enlarged and slowed copy of a path has the same curve, to a unit of rounding", () => {
  const hand = handPath(COURSE, 3);
  const original = curveOf(hand) ?? assert.fail("no curve");
  const copies = {
    moved: mapped(hand, ([ms, x, y, kind]) => [ms + 5000, x + 77, y - 31, kind]),
    turned: mapped(hand, ([ms, x, y, kind]) => [ms, 0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, kind]),
    enlarged: mapped(hand, ([ms, x, y, kind]) => [ms, 1.4 * x, 1.4 * y, kind]),
    slowed: mapped(hand, ([ms, x, y, kind]) => [2 * ms, x, y, kind]),
  };
  for (const [name, copy] of Object.entries(copies)) {
    const curve = curveOf(copy) ?? assert.fail(name);
    curve.forEach((unit, i) => void assert.ok(Math.abs(unit - (original[i] ?? 0)) <= 1, `${name} ${i}`));
  }
});

test("two hands on the same course have different curves", () => {
  const [one, other] = [curveOf(handPath(COURSE, 3)), curveOf(handPath(COURSE, 4))];
  let squares = 0;
  for (let i = 0; i < CURVE_LENGTH; i++) squares += ((one?.[i] ?? 0) - (other?.[i] ?? 0)) ** 2;
  const distance = Math.sqrt(squares / CURVE_LENGTH) / UNITS_A_LINE;
  assert.ok(distance > CURVE_REACH, String(distance));
});

test("a path without a shape of its own has no curve: straight, short, of few samples, or back where it began", () => {
  assert.equal(curveOf(steppedPath(COURSE)), undefined);
  const hand = handPath(COURSE, 3);
  assert.equal(curveOf(mapped(hand, ([ms, x, y, kind]) => [ms, x / 5, y / 5, kind])), undefined);
  assert.equal(curveOf([...hand.slice(0, 11), hand.at(-2) ?? assert.fail("no press")]), undefined);
  const back = [...hand.slice(0, -2), ...hand.slice(0, -2).reverse()];
  const round = mapped(
    back.map((sample, i): Segment[number] => [i * 16, sample[1], sample[2], "m"]),
    (it) => it,
  );
  assert.equal(curveOf([...round, [round.length * 16, 0, 0, "d"]]), undefined);
});

test("the path cannot be had back: place, size, direction, and time are gone, and what is left is 48 small numbers", () => {
  const curve = curveOf(handPath(COURSE, 3)) ?? assert.fail("no curve");
  assert.equal(curve.byteLength, 48);
  assert.deepEqual([...curve.subarray(-2)], [0, 0], "the place where it starts says nothing");
});
