import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

/** Reads that run until the test ends them. */
function createReads() {
  const turns = createTurns({ atOnce: 4, mostWaiting: 64 });
  const running: (() => void)[] = [];
  return {
    running,
    read: (userId: string) =>
      turns(userId, () => new Promise<string>((end) => running.push(() => end("read")))),
    fail: (userId: string) => turns(userId, () => Promise.reject(new Error("broken"))),
  };
}

const settle = () => new Promise((turn) => setImmediate(turn));

test("runs four reads of a member at once and the others in turn, and refuses more than 64 waiting", async () => {
  const { running, read } = createReads();
  const reads = Array.from({ length: 70 }, () => read("usr_1"));
  await settle();
  assert.equal(running.length, 4);
  assert.deepEqual(await Promise.all(reads.slice(68)), [undefined, undefined]);
  for (let ended = 0; ended < 68; ended++) {
    running.shift()?.();
    await settle();
    assert.ok(running.length <= 4);
  }
  assert.deepEqual(new Set(await Promise.all(reads.slice(0, 68))), new Set(["read"]));
  const again = read("usr_1");
  await settle();
  running.shift()?.();
  assert.equal(await again, "read");
});

test("delays no other member, and frees the place of a read that fails", async () => {
  const { running, read, fail } = createReads();
  const reads = Array.from({ length: 5 }, () => read("usr_1"));
  await settle();
  const other = read("usr_2");
  await settle();
  assert.equal(running.length, 5);
  running.pop()?.();
  assert.equal(await other, "read");
  await assert.rejects(fail("usr_2"), /broken/);
  for (let ended = 0; ended < 5; ended++) {
    running.shift()?.();
    await settle();
  }
  assert.equal((await Promise.all(reads)).length, 5);
});
