import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { bezier, jump, straight } from "./paths.ts";

const BOX = { x: 400, y: 200, width: 100, height: 40 };
const FROM = { x: 10, y: 20 };
const VIEWPORT = { width: 800, height: 600 };

test("ends every planner's path inside the box", () => {
  for (let seed = 0; seed < 50; seed++) {
    for (const plan of [jump, straight(createRandom(seed)), bezier(createRandom(seed))]) {
      const end = plan(FROM, BOX, VIEWPORT).steps.at(-1);
      assert.ok(end !== undefined);
      assert.ok(
        end.x > BOX.x && end.x < BOX.x + BOX.width && end.y > BOX.y && end.y < BOX.y + BOX.height,
      );
    }
  }
});

test("makes a jump in one step to the whole pixel in the middle", () => {
  assert.deepEqual(jump(FROM, { ...BOX, width: 101 }, VIEWPORT).steps, [
    { x: 451, y: 220, afterMs: 0 },
  ]);
});

test("draws a bent curve that takes its time, and holds its press like a person", () => {
  const { steps, restMs, pressMs } = bezier(createRandom(7))(FROM, BOX, VIEWPORT);
  const end = steps.at(-1) ?? FROM;
  const length = Math.hypot(end.x - FROM.x, end.y - FROM.y);
  const off = steps.map(
    ({ x, y }) => ((end.x - FROM.x) * (y - FROM.y) - (end.y - FROM.y) * (x - FROM.x)) / length,
  );
  assert.ok(Math.max(...off.map(Math.abs)) > 3);
  assert.ok(steps.reduce((sum, { afterMs }) => sum + afterMs, 0) > 200);
  assert.ok(restMs >= 80 && pressMs >= 60);
});
