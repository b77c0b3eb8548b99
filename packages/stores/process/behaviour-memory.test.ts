import assert from "node:assert/strict";
import { test } from "node:test";
import { createBehaviourMemory } from "./behaviour-memory.ts";

const DAY_MS = 86_400_000;

test("another network's repetition is known, one's own is not", () => {
  const memory = createBehaviourMemory({ maxEntries: 10 });
  assert.equal(memory.isKnown("a", [2], 0), false);
  memory.record("a", 1, 0);
  assert.equal(memory.isKnown("a", [2], 1), true);
  assert.equal(memory.isKnown("a", [2, 1], 1), false);
  assert.equal(memory.isKnown("b", [2], 1), false);
});

test("whoever repeats does not become the first", () => {
  const memory = createBehaviourMemory({ maxEntries: 10 });
  memory.record("a", 1, 0);
  memory.record("a", 2, 1);
  assert.equal(memory.isKnown("a", [2], 2), true);
});

test("what came from two networks is known in a third one, even if the first is its own, and not in those two", () => {
  const memory = createBehaviourMemory({ maxEntries: 10 });
  memory.record("a", 1, 0);
  assert.equal(memory.isKnown("a", [1, 2], 1), false);
  for (const network of [2, 3]) memory.record("a", network, 1);
  assert.deepEqual(
    [[1], [2, 1], [1, 2], [1, 3], [2, 3], [2]].map((networks) => memory.isKnown("a", networks, 2)),
    [false, false, false, true, true, true],
  );
  memory.record("a", 4, DAY_MS);
  assert.equal(memory.isKnown("a", [4, 5], DAY_MS), false, "a day later it begins anew");
});

test("what is held is known to other networks until it is released, each hold by itself", () => {
  const memory = createBehaviourMemory({ maxEntries: 10 });
  const isKnown = (): boolean => memory.isKnown("a", [2], 0);
  const releases = [memory.hold("a", 1), memory.hold("a", 1), memory.hold("a", 2), memory.hold("b", 3)];
  assert.deepEqual([isKnown(), memory.isKnown("a", [1, 2], 0), memory.isKnown("c", [9], 0)], [true, false, false]);
  releases[0]?.();
  releases[0]?.();
  assert.equal(isKnown(), true);
  for (const release of releases) release();
  assert.equal(isKnown(), false);
});

test("forgets after a day, to the millisecond, and may be recorded anew", () => {
  const memory = createBehaviourMemory({ maxEntries: 10 });
  memory.record("a", 1, 0);
  assert.equal(memory.isKnown("a", [2], DAY_MS - 1), true);
  assert.equal(memory.isKnown("a", [2], DAY_MS), false);
  memory.record("a", 3, DAY_MS);
  assert.equal(memory.isKnown("a", [1], DAY_MS + 1), true);
});

test("one network that fills the memory makes room itself: what others did stays known", () => {
  const memory = createBehaviourMemory({ maxEntries: 100 });
  for (let at = 0; at < 40; at++) memory.record(`other-${at}`, 1000 + at, at);
  for (let at = 0; at < 2000; at++) memory.record(`flood-${at}`, 1, 100 + at);
  const isKnown = (digest: string): boolean => memory.isKnown(digest, [2], 5000);
  assert.equal(Array.from({ length: 40 }, (_, at) => isKnown(`other-${at}`)).filter(Boolean).length, 40);
  assert.deepEqual([isKnown("flood-1999"), isKnown("flood-1940"), isKnown("flood-1939")], [true, true, false]);
});

test("holds no more than it may; the oldest makes room", () => {
  const memory = createBehaviourMemory({ maxEntries: 3 });
  for (const [at, digest] of ["a", "b", "c", "d"].entries()) memory.record(digest, 1, at);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((digest) => memory.isKnown(digest, [2], 10)),
    [false, true, true, true],
  );
});
