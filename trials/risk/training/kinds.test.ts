import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { REGIMES } from "./device-copies.ts";
import { createFolds } from "./folds.ts";
import { toKinds } from "./kinds.ts";
import type { Recording } from "./read-examples.ts";

const course = (i: number) =>
  ({ from: [100 + 7 * (i % 90), 600 - 3 * i], to: [470, 362 + (i % 50)] }) as const;
const PEOPLE = Array.from({ length: 120 }, (_, i): Recording => {
  const events = handPath(course(i), i);
  return { source: "test", subject: `p${i % 4}`, kind: "human", generator: "human", events };
});
const PROGRAM: Recording = {
  ...{ source: "test", subject: "0", kind: "bot", generator: "steps" },
  events: steppedPath(course(1), 20),
};
const RECORDINGS = [...PEOPLE, PROGRAM];
const kinds = toKinds(RECORDINGS, createFolds(RECORDINGS));

test("shows people on devices of each kind, however rare it is", () => {
  assert.deepEqual(
    kinds.map(({ regime }) => regime),
    [...REGIMES],
  );
  for (const { regime, examples } of kinds) {
    assert.ok(examples.every(({ isBot, device }) => !isBot && device?.regimes.includes(regime)));
    if (!regime.startsWith("slow"))
      assert.ok(examples.length > PEOPLE.length / 2, `${regime} ${examples.length}`);
  }
});

test("gives a device to one person, for as many paths as their visits combine", () => {
  const { examples = [] } = kinds.find(({ regime }) => regime === "jittered") ?? {};
  const devices = Map.groupBy(examples, ({ device }) => device?.name);
  assert.ok(devices.size >= 4 && devices.size <= 12, String(devices.size));
  for (const held of devices.values()) {
    assert.equal(new Set(held.map(({ subject }) => subject)).size, 1);
    assert.ok(held.length <= 12);
  }
});

test("shows the same recordings on the same devices", () => {
  assert.deepEqual(toKinds(RECORDINGS, createFolds(RECORDINGS)), kinds);
});
