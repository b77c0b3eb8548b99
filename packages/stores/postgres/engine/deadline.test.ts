import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Silence, withinDeadline } from "./deadline.ts";

test("passes on an answer that comes in time, and a fault as well", async () => {
  assert.equal(await withinDeadline(Promise.resolve("answer"), 20_000), "answer");
  await assert.rejects(withinDeadline(Promise.reject(new RangeError("no")), 20_000), RangeError);
});

test("reports silence when there is no answer", async () => {
  await assert.rejects(withinDeadline(new Promise(() => {}), 50), Silence);
});

test("causes no unhandled rejection when the answer is late", async () => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  await assert.rejects(withinDeadline(late, 20), Silence);
  reject(new Error("late"));
  // By then Node would have reported an unhandled rejection.
  await setImmediate();
});
