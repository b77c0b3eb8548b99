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

test("one network that fills the memory makes room itself: what others did stays known", () => {
  const history = createBehaviourHistory({ maxEntries: 100 });
  for (let at = 0; at < 40; at++) history.note(`other-${at}`, 1000 + at, at);
  for (let at = 0; at < 2000; at++) history.note(`flood-${at}`, 1, 100 + at);
  const isKnown = (digest: string): boolean => history.isKnown(digest, [2], 5000);
  assert.equal(Array.from({ length: 40 }, (_, at) => isKnown(`other-${at}`)).filter(Boolean).length, 40);
  assert.deepEqual([isKnown("flood-1999"), isKnown("flood-1940"), isKnown("flood-1939")], [true, true, false]);
});

test("holds no more than it may; the oldest makes room", () => {
  const history = createBehaviourHistory({ maxEntries: 3 });
  for (const [at, digest] of ["a", "b", "c", "d"].entries()) history.note(digest, 1, at);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((digest) => history.isKnown(digest, [2], 10)),
    [false, true, true, true],
  );
});
