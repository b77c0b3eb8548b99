import assert from "node:assert/strict";
import { test } from "node:test";
import { createGathering } from "./gathering.ts";

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

test("runs nothing at once, and everything in order at the end of the turn", async () => {
  const done: number[] = [];
  const gather = createGathering(() => assert.fail());
  for (const number of [1, 2, 3]) gather(() => done.push(number));
  await Promise.resolve();
  assert.deepEqual(done, []);
  await endOfTurn();
  assert.deepEqual(done, [1, 2, 3]);
});

test("runs a task that another one adds in the next turn", async () => {
  const done: string[] = [];
  const gather = createGathering(() => assert.fail());
  gather(() => gather(() => done.push("later")));
  gather(() => done.push("now"));
  await endOfTurn();
  assert.deepEqual(done, ["now"]);
  await endOfTurn();
  assert.deepEqual(done, ["now", "later"]);
});

test("reports a task that throws, and still runs the others", async () => {
  const done: string[] = [];
  const faults: unknown[] = [];
  const gather = createGathering((fault) => faults.push(fault));
  const fault = new Error("broken pipe");
  gather(() => {
    throw fault;
  });
  gather(() => done.push("second"));
  await endOfTurn();
  assert.deepEqual([done, faults], [["second"], [fault]]);
});
