import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Silence, withinDeadline } from "./deadline.ts";

test("an answer in time is passed on, and so is a fault", async () => {
  assert.equal(await withinDeadline(Promise.resolve("answer"), 20_000), "answer");
  await assert.rejects(withinDeadline(Promise.reject(new RangeError("no")), 20_000), RangeError);
});

test("no answer is silence", async () => {
  await assert.rejects(withinDeadline(new Promise(() => {}), 50), Silence);
});

test("an answer that came late is no unhandled rejection", async () => {
  const { promise: late, reject } = Promise.withResolvers<never>();
  await assert.rejects(withinDeadline(late, 20), Silence);
  reject(new Error("late"));
  // By then Node would have told of a rejection that nobody handles.
  await setImmediate();
});
