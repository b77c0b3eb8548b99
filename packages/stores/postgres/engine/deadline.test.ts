import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Silence, withinDeadline } from "./deadline.ts";

test("an answer in time is passed on, and so is a fault", async () => {
  assert.equal(await withinDeadline(Promise.resolve("answer"), 20_000), "answer");
  await assert.rejects(withinDeadline(Promise.reject(new RangeError("no")), 20_000), RangeError);
});

test("no answer is silence", async () => {
  await assert.rejects(withinDeadline(new Promise(() => {}), 50), Silence);
});

test("an answer that came late is no unhandled rejection", async () => {
  const late = delay(100).then(() => Promise.reject(new Error("late")));
  await assert.rejects(withinDeadline(late, 20), Silence);
  await late.catch(() => {});
});
