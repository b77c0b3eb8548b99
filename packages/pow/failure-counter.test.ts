import assert from "node:assert/strict";
import { test } from "node:test";
import { createFailureCounter, MAX_FAILURES_PER_CHALLENGE } from "./failure-counter.ts";

const idOf = (number: number): Uint8Array => {
  const id = new Uint8Array(16);
  new DataView(id.buffer).setUint32(0, number);
  return id;
};

test("uses a challenge up at the third wrong solution, and not at the second", () => {
  const counter = createFailureCounter(10);
  const seen: boolean[] = [counter.isUsedUp(idOf(1))];
  for (let failure = 0; failure < 4; failure++) {
    counter.recordFailure(idOf(1), 300_000, 1000 + failure);
    seen.push(counter.isUsedUp(idOf(1)));
  }
  assert.equal(MAX_FAILURES_PER_CHALLENGE, 3);
  assert.deepEqual(seen, [false, false, false, true, true]);
});

test("counts failures of one challenge against no other", () => {
  const counter = createFailureCounter(10);
  for (let failure = 0; failure < 3; failure++) counter.recordFailure(idOf(1), 300_000, 0);
  assert.equal(counter.isUsedUp(idOf(2)), false);
});

test("does not count a failure that was taken back, and stores nothing for a challenge without failures", () => {
  const counter = createFailureCounter(10);
  for (let failure = 0; failure < 3; failure++) counter.recordFailure(idOf(1), 300_000, 0);
  counter.takeBack(idOf(1));
  assert.equal(counter.isUsedUp(idOf(1)), false);
  counter.recordFailure(idOf(1), 300_000, 0);
  assert.equal(counter.isUsedUp(idOf(1)), true);
  for (let failure = 0; failure < 5; failure++) counter.takeBack(idOf(1));
  assert.equal(counter.size(), 0);
  for (let failure = 0; failure < 2; failure++) counter.recordFailure(idOf(1), 300_000, 0);
  assert.equal(counter.isUsedUp(idOf(1)), false);
});

test("compares ids by their bytes, not as objects", () => {
  const counter = createFailureCounter(10);
  for (let failure = 0; failure < 3; failure++) counter.recordFailure(idOf(7), 300_000, 0);
  assert.equal(counter.isUsedUp(idOf(7)), true);
});

test("keeps its memory bounded under a flood, and remembers the newest challenges", () => {
  const counter = createFailureCounter(100);
  for (let number = 0; number < 10_000; number++) {
    for (let failure = 0; failure < 3; failure++) counter.recordFailure(idOf(number), 300_000, 0);
    assert.ok(counter.size() <= 100);
  }
  assert.equal(counter.isUsedUp(idOf(9_999)), true);
  assert.equal(counter.isUsedUp(idOf(9_900)), true);
  assert.equal(counter.isUsedUp(idOf(9_899)), false);
});

test("forgets no other challenge for a further failure of a remembered one", () => {
  const counter = createFailureCounter(2);
  for (const number of [1, 2]) counter.recordFailure(idOf(number), 300_000, 0);
  for (let failure = 0; failure < 2; failure++)
    for (const number of [1, 2]) counter.recordFailure(idOf(number), 300_000, 0);
  assert.deepEqual([counter.isUsedUp(idOf(1)), counter.isUsedUp(idOf(2))], [true, true]);
});

test("forgets expired challenges at the next failure, at exactly their expiry and no earlier", () => {
  const counter = createFailureCounter(100);
  counter.recordFailure(idOf(1), 1000, 0);
  counter.recordFailure(idOf(2), 1001, 0);
  counter.recordFailure(idOf(3), 2000, 999);
  assert.equal(counter.size(), 3);
  counter.recordFailure(idOf(4), 2000, 1000);
  assert.equal(counter.size(), 3);
});
