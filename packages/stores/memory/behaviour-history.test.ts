import assert from "node:assert/strict";
import { test } from "node:test";
import { createBehaviourHistory } from "./behaviour-history.ts";

const DAY_MS = 86_400_000;

test("another network's repetition is known, one's own is not", () => {
  const history = createBehaviourHistory({ maxEntries: 10 });
  assert.equal(history.isKnown("a", [2], 0), false);
  history.note("a", 1, 0);
  assert.equal(history.isKnown("a", [2], 1), true);
  assert.equal(history.isKnown("a", [2, 1], 1), false);
  assert.equal(history.isKnown("b", [2], 1), false);
});

test("whoever repeats does not become the first", () => {
  const history = createBehaviourHistory({ maxEntries: 10 });
  history.note("a", 1, 0);
  history.note("a", 2, 1);
  assert.equal(history.isKnown("a", [2], 2), true);
});

test("forgets after a day, to the millisecond, and may be noted anew", () => {
  const history = createBehaviourHistory({ maxEntries: 10 });
  history.note("a", 1, 0);
  assert.equal(history.isKnown("a", [2], DAY_MS - 1), true);
  assert.equal(history.isKnown("a", [2], DAY_MS), false);
  history.note("a", 3, DAY_MS);
  assert.equal(history.isKnown("a", [1], DAY_MS + 1), true);
});

test("holds no more than it may; the oldest makes room", () => {
  const history = createBehaviourHistory({ maxEntries: 3 });
  for (const [at, digest] of ["a", "b", "c", "d"].entries()) history.note(digest, 1, at);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((digest) => history.isKnown(digest, [2], 10)),
    [false, true, true, true],
  );
});
