import assert from "node:assert/strict";
import { test } from "node:test";
import { createRandom } from "@stile/risk/seeded-random";
import { bezier, jump, passOnEvery, straight } from "./paths.ts";

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

test("passes on the newest place of each 40 ms, and the last one no later than the press", () => {
  const steps = [0, 16, 16, 16, 16, 30].map((afterMs, i) => ({ x: i, y: 0, afterMs }));
  const passed = passOnEvery(40, { steps, restMs: 10, pressMs: 80 });
  assert.deepEqual(passed.steps, [
    { x: 0, y: 0, afterMs: 0 },
    { x: 2, y: 0, afterMs: 40 },
    { x: 4, y: 0, afterMs: 40 },
    { x: 5, y: 0, afterMs: 24 },
  ]);
  assert.deepEqual([passed.restMs, passed.pressMs], [0, 80]);
  assert.equal(passOnEvery(40, { steps, restMs: 50, pressMs: 80 }).restMs, 24);
});
