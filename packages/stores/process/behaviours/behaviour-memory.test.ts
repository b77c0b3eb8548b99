import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathOrigin } from "@stile/core/ports/visitor/visit-memory";
import { createBehaviourMemory } from "./behaviour-memory.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ERA = 7;

const from = (
  networks: readonly number[],
  nowMs: number,
  others: Partial<PathOrigin> = {},
): PathOrigin => {
  return { networks, nowMs, era: ERA, ...others };
};

/** A memory whose calls are all made under one key. */
function underTest(maxEntries = 10) {
  const memory = createBehaviourMemory({ maxEntries });
  return {
    memory,
    isKnown: (digest: string, networks: readonly number[], nowMs: number) =>
      memory.isKnown(digest, from(networks, nowMs)),
    record: (digest: string, network: number, nowMs: number) =>
      memory.record(digest, network, nowMs, ERA, "pk_1"),
  };
}

test("knows a behaviour that another network submitted, but not the visitor's own", () => {
  const { isKnown, record } = underTest();
  assert.equal(isKnown("a", [2], 0), false);
  record("a", 1, 0);
  assert.equal(isKnown("a", [2], 1), true);
  assert.equal(isKnown("a", [2, 1], 1), false);
  assert.equal(isKnown("b", [2], 1), false);
});

test("keeps the first network as first when another one repeats the behaviour", () => {
  const { isKnown, record } = underTest();
  record("a", 1, 0);
  record("a", 2, 1);
  assert.equal(isKnown("a", [2], 2), true);
});

test("knows a behaviour from two networks in a third one, even if the first is its own, but not in those two", () => {
  const { isKnown, record } = underTest();
  record("a", 1, 0);
  assert.equal(isKnown("a", [1, 2], 1), false);
  for (const network of [2, 3]) record("a", network, 1);
  assert.deepEqual(
    [[1], [2, 1], [1, 2], [1, 3], [2, 3], [2]].map((networks) => isKnown("a", networks, 2)),
    [false, false, false, true, true, true],
  );
  record("a", 4, DAY_MS);
  assert.equal(isKnown("a", [4, 5], DAY_MS), false, "a day later it starts again");
});

test("knows a behaviour of another day's key, unless it may be the visitor's own: by an old digest, a second network for an hour, or no address", () => {
  const { memory, record } = underTest();
  record("a", 1, 0);
  const isKnown = (networks: readonly number[], own: number | undefined, nowMs: number): boolean =>
    memory.isKnown(
      "a",
      from(networks, nowMs, { era: ERA + 1, ownIn: (era) => (era === ERA ? own : undefined) }),
    );
  const late = DAY_MS - 1;
  assert.deepEqual(
    [isKnown([91], 1, late), isKnown([90, 91], 1, late)],
    [false, false],
    "their own",
  );
  assert.deepEqual(
    [isKnown([92], 2, 0), isKnown([92], 2, late), isKnown([92], 2, DAY_MS)],
    [true, true, false],
  );
  assert.deepEqual(
    [isKnown([91, 92], 2, HOUR_MS - 1), isKnown([91, 92], 2, HOUR_MS)],
    [false, true],
  );
  assert.equal(isKnown([92], undefined, late), false, "the address is unknown");
  memory.record("a", 92, 1, ERA + 1, "pk_1");
  assert.equal(isKnown([91, 93], 3, 2), true, "then it is known under the new key as well");
  assert.equal(isKnown([92], 2, 2), true, "it is still known under the old key");
});

test("makes pending behaviours known to other networks under any key until each is released", () => {
  const { memory } = underTest();
  const isKnown = (): boolean => memory.isKnown("a", from([2], 0));
  const releases = [
    memory.addPending("a", 1, ERA),
    memory.addPending("a", 1, ERA),
    memory.addPending("a", 2, ERA),
    memory.addPending("b", 3, ERA),
  ];
  assert.deepEqual(
    [isKnown(), memory.isKnown("a", from([1, 2], 0)), memory.isKnown("c", from([9], 0))],
    [true, false, false],
  );
  const ofNextDay = (network: number, own: number) =>
    memory.isKnown("b", from([network], 0, { era: ERA + 1, ownIn: () => own }));
  assert.deepEqual([ofNextDay(93, 3), ofNextDay(92, 2)], [false, true]);
  releases[0]?.();
  releases[0]?.();
  assert.equal(isKnown(), true);
  for (const release of releases) release();
  assert.equal(isKnown(), false);
});

test("forgets a behaviour after exactly one day, and may then record it again", () => {
  const { isKnown, record } = underTest();
  record("a", 1, 0);
  assert.equal(isKnown("a", [2], DAY_MS - 1), true);
  assert.equal(isKnown("a", [2], DAY_MS), false);
  record("a", 3, DAY_MS);
  assert.equal(isKnown("a", [1], DAY_MS + 1), true);
});

test("evicts a flooding network's own behaviours, and keeps those of other networks", () => {
  const { isKnown, record } = underTest(100);
  for (let at = 0; at < 40; at++) record(`other-${at}`, 1000 + at, at);
  for (let at = 0; at < 2000; at++) record(`flood-${at}`, 1, 100 + at);
  const isStill = (digest: string): boolean => isKnown(digest, [2], 5000);
  assert.equal(
    Array.from({ length: 40 }, (_, at) => isStill(`other-${at}`)).filter(Boolean).length,
    40,
  );
  assert.deepEqual(
    [isStill("flood-1999"), isStill("flood-1940"), isStill("flood-1939")],
    [true, true, false],
  );
});

test("evicts a flooded site's own behaviours, and keeps those of other sites", () => {
  const { memory, isKnown } = underTest(100);
  for (let at = 0; at < 40; at++) memory.record(`other-${at}`, 1000 + at, at, ERA, `pk_${at % 4}`);
  for (let at = 0; at < 2000; at++)
    memory.record(`flood-${at}`, 5000 + at, 100 + at, ERA, "pk_flood");
  const isStill = (digest: string): boolean => isKnown(digest, [2], 5000);
  assert.equal(
    Array.from({ length: 40 }, (_, at) => isStill(`other-${at}`)).filter(Boolean).length,
    40,
  );
  assert.deepEqual(
    [isStill("flood-1999"), isStill("flood-1940"), isStill("flood-1939")],
    [true, true, false],
  );
});

test("keeps at most its maximum of behaviours over all days, and evicts the oldest", () => {
  const { memory, isKnown, record } = underTest(3);
  for (const [at, digest] of ["a", "b", "c", "d"].entries()) record(digest, 1, at);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((digest) => isKnown(digest, [2], 10)),
    [false, true, true, true],
  );
  for (let era = ERA + 1; era < ERA + 4; era++) memory.record("d", 1, 20, era, "pk_1");
  assert.deepEqual(
    ["b", "c", "d"].map((digest) => isKnown(digest, [2], 30)),
    [false, false, false],
  );
  const ofDay = (era: number): boolean => memory.isKnown("d", from([2], 30, { era }));
  assert.deepEqual([ofDay(ERA + 1), ofDay(ERA + 3)], [true, true]);
});
