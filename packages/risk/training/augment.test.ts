import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import fc from "fast-check";
import { createRandom } from "../seeded-random.ts";
import type { Segment } from "../trajectory/segment.ts";
import { augment } from "./augment.ts";

const HAND = handPath({ from: [120, 640], to: [470, 362] }, 5);
const press = (segment: Segment) => segment.find(([, , , kind]) => kind === "d") ?? assert.fail("no press");

test("the same seed alters a path in the same way, another seed in another", () => {
  assert.deepEqual(augment(HAND, createRandom(3)), augment(HAND, createRandom(3)));
  assert.notDeepEqual(augment(HAND, createRandom(3)), augment(HAND, createRandom(4)));
});

test("an altered path is the same movement: it ends in the same press, takes as long, and is half to twice as large", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      const altered = augment(HAND, createRandom(seed));
      assert.equal(press(altered)[0], press(HAND)[0]);
      const scale = press(altered)[1] / press(HAND)[1];
      assert.ok(scale >= 0.49 && scale <= 2.01, String(scale));
      assert.ok(Math.abs(press(altered)[2] / press(HAND)[2] - scale) < 0.01);
      const lastMove = altered.at(-3) ?? assert.fail("no move");
      assert.ok(lastMove[0] >= (HAND.at(-3)?.[0] ?? 0));
      assert.ok(altered.every(([, x, y]) => Number.isInteger(x) && Number.isInteger(y)));
    }),
    { numRuns: 300 },
  );
});

test("altered copies come at several rates, so that the model can't learn the recorder", () => {
  const counts = new Set(Array.from({ length: 60 }, (_, seed) => augment(HAND, createRandom(seed)).length));
  assert.ok(counts.size > 8, String([...counts]));
});

test("a path of fewer than two moves stays as it is", () => {
  const jump: Segment = [
    [0, 5, 5, "m"],
    [9, 5, 5, "d"],
  ];
  assert.deepEqual(augment(jump, createRandom(1)), jump);
});
