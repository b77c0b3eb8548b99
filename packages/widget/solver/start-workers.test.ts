import assert from "node:assert/strict";
import { test } from "node:test";
import { workerCountFor } from "./start-workers.ts";

test("leaves one core to the page and never starts more than four workers", () => {
  assert.deepEqual(
    [1, 2, 3, 4, 5, 8, 128].map((cores) => workerCountFor(cores, 2 ** 17)),
    [1, 1, 2, 3, 4, 4, 4],
  );
});

test("starts one worker in a browser that hides its cores", () => {
  for (const cores of [0, -3, Number.NaN, Number.POSITIVE_INFINITY])
    assert.equal(workerCountFor(cores, 2 ** 17), 1);
});

test("starts one worker for the fallback's one function, since a second would find nothing to do", () => {
  assert.equal(workerCountFor(8, 2 ** 13), 1);
  assert.equal(workerCountFor(8, 2 ** 14), 2);
});
