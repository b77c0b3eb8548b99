import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { SHAPE_LENGTH, SHAPE_REACH, toPathShape, UNITS_A_LINE } from "./path-shape.ts";
import { preparePath, type Segment } from "./segment.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const knownAs = (segment: Segment) => toPathShape(preparePath(segment) ?? assert.fail("no path"));
const shapeOf = (segment: Segment) => knownAs(segment)?.shape;
const mapped = (segment: Segment, change: (sample: Segment[number]) => Segment[number]): Segment =>
  segment.map(change);

test("gives a moved, turned, enlarged and slowed copy of a path the same shape, to a unit of rounding", () => {
  const hand = handPath(COURSE, 3);
  const original = shapeOf(hand) ?? assert.fail("no shape");
  const copies = {
    moved: mapped(hand, ([ms, x, y, kind]) => [ms + 5000, x + 77, y - 31, kind]),
    turned: mapped(hand, ([ms, x, y, kind]) => [ms, 0.8 * x - 0.6 * y, 0.6 * x + 0.8 * y, kind]),
    enlarged: mapped(hand, ([ms, x, y, kind]) => [ms, 1.4 * x, 1.4 * y, kind]),
    slowed: mapped(hand, ([ms, x, y, kind]) => [2 * ms, x, y, kind]),
  };
  for (const [name, copy] of Object.entries(copies)) {
    const shape = shapeOf(copy) ?? assert.fail(name);
    shape.forEach(
      (unit, i) => void assert.ok(Math.abs(unit - (original[i] ?? 0)) <= 1, `${name} ${i}`),
    );
  }
});

test("gives two hands on the same course different shapes", () => {
  const [one, other] = [shapeOf(handPath(COURSE, 3)), shapeOf(handPath(COURSE, 4))];
  let squares = 0;
  for (let i = 0; i < SHAPE_LENGTH; i++) squares += ((one?.[i] ?? 0) - (other?.[i] ?? 0)) ** 2;
  const distance = Math.sqrt(squares / SHAPE_LENGTH) / UNITS_A_LINE;
  assert.ok(distance > SHAPE_REACH, String(distance));
});

test("gives no shape of its own to a path that others draw by chance: straight, short, of few samples", () => {
  const hand = handPath(COURSE, 3);
  assert.equal(knownAs(hand)?.isOwn, true);
  const common = {
    straight: mapped(steppedPath(COURSE), ([ms, ...rest]) => [2 * ms, ...rest]),
    short: mapped(hand, ([ms, x, y, kind]) => [ms, x / 5, y / 5, kind]),
    seldom: mapped(hand, ([ms, ...rest]) => [Math.min(3 * ms, 2500), ...rest]).filter(
      (_, at) => at < 11 || at === hand.length - 2,
    ),
  };
  for (const [name, path] of Object.entries(common))
    assert.equal(knownAs(path)?.isOwn, false, name);
});

test("gives no shape to a plain path, which practised hands all draw alike: straight and quick", () => {
  const quick = steppedPath(COURSE);
  assert.equal(knownAs(quick), undefined);
  assert.ok(
    knownAs(mapped(quick, ([ms, ...rest]) => [1.4 * ms, ...rest])),
    "as straight, and slow",
  );
  const bent = mapped(quick, ([ms, x, y, kind]) => {
    const share = (x - COURSE.from[0]) / (COURSE.to[0] - COURSE.from[0]);
    return [ms, x, y + 90 * Math.sin(Math.PI * share), kind];
  });
  assert.ok(knownAs(bent), "as quick, and bent");
});

test("gives no shape to a path that hardly moves, or that ends where it began", () => {
  const hand = handPath(COURSE, 3);
  assert.equal(knownAs(mapped(hand, ([ms, x, y, kind]) => [ms, x / 16, y / 16, kind])), undefined);
  assert.equal(knownAs([...hand.slice(0, 9), hand.at(-2) ?? assert.fail("no press")]), undefined);
  const back = [...hand.slice(0, -2), ...hand.slice(0, -2).reverse()];
  const round = back.map((sample, i): Segment[number] => [i * 16, sample[1], sample[2], "m"]);
  assert.equal(knownAs([...round, [round.length * 16, 0, 0, "d"]]), undefined);
});

test("does not allow reconstructing the path: place, size, direction and time are gone, and 48 small numbers are left", () => {
  const shape = shapeOf(handPath(COURSE, 3)) ?? assert.fail("no shape");
  assert.equal(shape.byteLength, 48);
  assert.deepEqual([...shape.subarray(-2)], [0, 0], "the place where it starts says nothing");
});
