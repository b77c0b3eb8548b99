import assert from "node:assert/strict";
import { test } from "node:test";
import {
  COMMON_SQUARES,
  isSketchBeyond,
  SKETCH_LENGTH,
} from "@stile/core/domain/visitor/nearest-path";
import { createRandom } from "@stile/risk/seeded-random";
import { createPathCells } from "./path-cells.ts";

const PLACES = 400;
/** The largest number in a sketch. */
const MOST = 24 * 127;

/** Sketches, half of them anywhere and half close together. */
function drawSketches(random: () => number): Int16Array {
  return Int16Array.from({ length: PLACES * SKETCH_LENGTH }, (_, i) => {
    const spread = i < (PLACES * SKETCH_LENGTH) / 2 ? MOST : 90;
    return Math.round((2 * random() - 1) * spread);
  });
}

test("visits each place whose sketch may be within reach exactly once, and no removed place", () => {
  const random = createRandom(3);
  const sketches = drawSketches(random);
  const cells = createPathCells(sketches);
  const held = new Set<number>();
  for (let step = 0; step < 4000; step++) {
    const place = Math.floor(random() * PLACES);
    if (held.delete(place)) cells.remove(place);
    else {
      for (let i = 0; i < SKETCH_LENGTH; i++)
        sketches[place * SKETCH_LENGTH + i] = Math.round((random() - 0.5) * 200);
      held.add(place);
      cells.add(place);
    }
    if (step % 10 > 0) continue;
    const from = Math.floor(random() * PLACES) * SKETCH_LENGTH;
    const sketch = sketches.slice(from, from + SKETCH_LENGTH);
    const squares = random() * COMMON_SQUARES;
    const expected = [...held].filter(
      (at) => !isSketchBeyond(sketch, sketches, at * SKETCH_LENGTH, squares),
    );
    const shown: number[] = [];
    cells.visit(sketch, squares, (at) => {
      shown.push(at);
      return squares;
    });
    assert.deepEqual(shown.sort(), expected.sort());
  }
});

test("finds sketches at the limits of a shape, and similar ones across zero", () => {
  for (const [one, other] of [
    [MOST, MOST - 81],
    [-MOST, 81 - MOST],
    [-40, 41],
  ] as const) {
    const sketches = Int16Array.from([one, one, 0, 0, 0, 0, 0, 0, one, other, 0, 0, 0, 0, 0, 0]);
    const cells = createPathCells(sketches);
    cells.add(0);
    cells.add(1);
    const shown: number[] = [];
    cells.visit(sketches.slice(0, SKETCH_LENGTH), COMMON_SQUARES, (at) => {
      shown.push(at);
      return COMMON_SQUARES;
    });
    assert.deepEqual(shown, [0, 1]);
  }
});

test("narrows the search with each answer, and stops at one below 0", () => {
  const sketches = new Int16Array(3 * SKETCH_LENGTH);
  sketches[SKETCH_LENGTH] = 30;
  sketches[2 * SKETCH_LENGTH] = 60;
  const cells = createPathCells(sketches);
  for (const place of [0, 1, 2]) cells.add(place);
  const shownWith = (answer: number): number[] => {
    const shown: number[] = [];
    cells.visit(sketches.slice(0, SKETCH_LENGTH), COMMON_SQUARES, (at) => {
      shown.push(at);
      return answer;
    });
    return shown;
  };
  assert.deepEqual(shownWith(COMMON_SQUARES), [0, 1, 2]);
  assert.deepEqual(shownWith(30 ** 2 / 24), [0, 1]);
  assert.deepEqual(shownWith(0), [0]);
  assert.deepEqual(shownWith(-1), [0]);
});
