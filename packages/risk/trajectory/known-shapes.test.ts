import assert from "node:assert/strict";
import { test } from "node:test";
import { CHROME_VISITOR } from "@stile/testkit/visits/find-visitor";
import { decoded } from "@stile/testkit/visits/handed-in";
import { handPath, toPointer } from "@stile/testkit/visits/pointer-paths";
import { knownShapes } from "./known-shapes.ts";
import type { Segment } from "./segment.ts";

const shapesOf = (...paths: readonly Segment[]) =>
  knownShapes(decoded({ ...CHROME_VISITOR.behaviour, pointer: toPointer(paths) })).map(
    ({ shape }) => shape,
  );
const hand = (seed: number): Segment => handPath({ from: [120, 640], to: [470, 362] }, seed);
const hands = (from: number, count: number): Segment[] =>
  Array.from({ length: count }, (_, at) => hand(from + at));
const [HAND_SHAPE] = shapesOf(hand(1));
/** Keeps only every fourth move, which is too rare to be scored. */
const slowed = (path: Segment): Segment =>
  path.filter(([, , , kind], at) => kind !== "m" || at % 4 === 0);
/** The last six moves before the press: too few for a shape. */
const cut = (path: Segment): Segment =>
  path.slice(path.findIndex(([, , , kind]) => kind === "d") - 6);

test("knows a visit by its last five paths, the newest first", () => {
  const shapes = shapesOf(...hands(1, 7));
  assert.equal(shapes.length, 5);
  assert.deepEqual(shapes[0], shapesOf(hand(7))[0]);
});

test("gives no place to paths without a shape, and no place of a scored path to one that the model leaves out", () => {
  assert.deepEqual(shapesOf(cut(hand(2))), []);
  assert.deepEqual(shapesOf(hand(1), ...hands(2, 9).map(cut)), [HAND_SHAPE]);
  const slow = hands(2, 9).map(slowed);
  assert.equal(shapesOf(...slow).length, 5);
  assert.deepEqual(shapesOf(hand(1), ...slow)[0], HAND_SHAPE);
});

test("keeps five at most, however many presses there were, and scored paths before others", () => {
  const shapes = shapesOf(...hands(1, 3), ...hands(8, 7).map(slowed));
  assert.equal(shapes.length, 5);
  assert.deepEqual(shapes.slice(0, 3), shapesOf(...hands(1, 3)));
});
