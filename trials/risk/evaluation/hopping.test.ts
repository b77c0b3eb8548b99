import assert from "node:assert/strict";
import { test } from "node:test";
import type { Segment } from "@stile/risk/trajectory/segment";
import { handPath } from "@stile/testkit/visits/pointer-paths";
import type { Recording } from "../training/read-examples.ts";
import { measureHopping } from "./hopping.ts";

const person = (subject: string, events: Recording["events"]): Recording => {
  return { source: "made up", subject, kind: "human", generator: "hand", events };
};
/** A quick hand. */
const hand = (seed: number): Segment =>
  handPath({ from: [120 + 9 * seed, 640 - 5 * seed], to: [470, 362] }, seed).map(
    ([ms, ...rest]) => [ms / 2, ...rest],
  );
const HANDS = Array.from({ length: 30 }, (_, seed) => person(`p${seed % 3}`, hand(seed)));
/** Somebody who stands still, and then is suddenly there. */
const HOPS = person("agent", [
  ...[0, 90].map((ms) => [ms, 120 + 2 * ms, 640 - ms, "m"] as const),
  ...([
    [180, 470, 362, "m"],
    [400, 470, 362, "d"],
    [480, 470, 362, "u"],
  ] as const),
]);

test("finds no hops of hands on any local screen, however slow, and more the fewer moves a remote link carries", () => {
  const rows = measureHopping(HANDS);
  const [far, near] = [true, false].map((isFar) =>
    rows.filter(({ seen }) => seen.startsWith("far") === isFar),
  );
  assert.ok(
    near !== undefined &&
      near.length === 10 &&
      near.every(({ hops, asked }) => hops === 0 && asked === 0),
  );
  const shares = far?.map(({ hops }) => hops ?? -1) ?? [];
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => a - b),
  );
  assert.ok((shares.at(-1) ?? 0) > 0.1, String(shares));
});

test("counts hops where they are, by person", () => {
  const [recorded] = measureHopping([...HANDS, HOPS]);
  assert.deepEqual(
    [
      recorded?.paths,
      recorded?.hops,
      recorded?.people,
      recorded?.people_with_any,
      recorded?.worst_person,
    ],
    [31, 0.0323, 4, 1, 1],
  );
});

test("leaves programs out", () => {
  assert.deepEqual(
    [...new Set(measureHopping([...HANDS, { ...HOPS, kind: "bot" }]).map(({ paths }) => paths))],
    [30],
  );
});
