import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { preparePath, type Segment } from "./segment.ts";
import { SHIPPED_MODEL } from "./shipped-model.ts";
import { findAbstention } from "./support.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const whyNot = (segment: Segment): string | undefined =>
  findAbstention(preparePath(segment) ?? assert.fail("nothing moved"), SHIPPED_MODEL.support);

/** Moves with the given gaps, ms, each a step of that many px to the right, then a press. */
function walk(gapsMs: readonly number[], stepPx = 12): Segment {
  let ms = 0;
  const moves = [0, ...gapsMs].map((gap, i): Segment[number] => {
    ms += gap;
    return [ms, i * stepPx, 40 + (i % 2), "m"];
  });
  return [...moves, [ms + 50, gapsMs.length * stepPx, 40, "d"]];
}
const even = (count: number, gapMs: number): number[] => Array.from({ length: count }, () => gapMs);

test("scores hands and programs at a screen's rate", () => {
  for (let seed = 0; seed < 20; seed++) assert.equal(whyNot(handPath(COURSE, seed)), undefined);
  assert.equal(whyNot(steppedPath(COURSE)), undefined);
  assert.equal(whyNot(walk(even(20, 25))), undefined, "40 Hz");
});

test("does not score moves that come very seldom: slow links, very busy pages", () => {
  assert.equal(whyNot(walk(even(20, 71))), "seldom_moves");
  assert.equal(whyNot(walk([...even(9, 16), ...even(11, 90)])), "seldom_moves");
});

test("scores slow paths if enough of them is seen", () => {
  assert.equal(whyNot(walk(even(20, 70))), undefined);
  assert.equal(whyNot(walk(even(15, 26))), undefined);
  assert.equal(whyNot(walk(even(14, 26))), "few_samples");
  assert.equal(whyNot(walk(even(14, 25))), undefined, "not slow");
  assert.equal(whyNot(walk([...even(16, 50), ...even(4, 176)])), undefined);
  assert.equal(whyNot(walk([...even(15, 50), ...even(5, 176)])), "many_holes");
});

test("allows one long gap in five, and no more", () => {
  assert.equal(whyNot(walk([...even(16, 16), ...even(4, 41)])), undefined);
  assert.equal(whyNot(walk([...even(15, 16), ...even(5, 41)])), "many_holes");
});

test("counts the moves that the device sent, not the merged ones: a mouse of 1 kHz is scored by its own gaps", () => {
  const fast = walk(even(240, 1), 1);
  assert.equal(whyNot(fast), undefined);
  assert.equal(whyNot(walk(even(60, 1), 4)), "few_samples", "60 ms are five samples of 12");
});

test("does not mistake short approaches, drawings and searches for an approach from afar", () => {
  assert.equal(whyNot(walk(even(9, 16))), undefined);
  assert.equal(whyNot(walk(even(8, 16))), "few_samples");
  assert.equal(whyNot(walk(even(20, 16), 1.9)), "short_line");
  const circle = Array.from({ length: 40 }, (_, i): Segment[number] => {
    const angle = (i / 39) * 1.8 * Math.PI;
    return [16 * i, 300 * Math.cos(angle), 300 * Math.sin(angle), "m"];
  });
  assert.equal(whyNot([...circle, [700, 0, 0, "d"]]), "winding");
});
