import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import type { Recording } from "../training/read-examples.ts";
import { measureUnpressed } from "./unpressed.ts";

const COURSE = { from: [120, 640], to: [470, 362] } as const;
const person = (subject: string, events: Recording["events"]): Recording => {
  return { source: "made up", subject, kind: "human", generator: "hand", events };
};
const HANDS = Array.from({ length: 30 }, (_, seed) =>
  person(`p${seed % 3}`, handPath(COURSE, seed)),
);
const RULER = person("ruler", steppedPath(COURSE));
const whole = (recordings: readonly Recording[]) =>
  measureUnpressed(recordings).filter(({ seen }) => !seen.includes("three"));

test("hands show somebody on local screens before they press", () => {
  const near = whole(HANDS).filter(({ seen }) => !seen.startsWith("far"));
  assert.deepEqual(
    new Set(near.flatMap((row) => [row.whole, row.noticed, row.worst_person])),
    new Set([0]),
  );
});

test("counts movements in even steps along a line where they are, by person", () => {
  const [recorded] = measureUnpressed([...HANDS, RULER]);
  assert.deepEqual(recorded, {
    seen: "as recorded",
    paths: 31,
    whole: 0.0323,
    noticed: 0.0323,
    worst_person: 1,
  });
});

test("leaves programs out", () => {
  const rows = measureUnpressed([...HANDS, { ...RULER, kind: "bot" }]);
  assert.deepEqual([...new Set(rows.map(({ paths }) => paths))], [30]);
});
