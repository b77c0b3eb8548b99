import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gzipSync } from "node:zlib";
import { createRandom } from "@stile/risk/seeded-random";
import { readRecordedPaths } from "./recorded-paths.ts";

const directory = mkdtempSync(join(tmpdir(), "stile-redteam-test-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** A short path of a synthetic person: to the right and down, then a press of 90 ms. */
const recording = (subject: string, dx: number, dy: number) => ({
  subject,
  kind: "human",
  generator: "human",
  events: [
    [0, 500, 300, "m"],
    [16, 500 + dx / 2, 300 + dy / 4, "m"],
    [40, 500 + dx, 300 + dy, "m"],
    [140, 500 + dx, 300 + dy, "d"],
    [230, 500 + dx, 300 + dy, "u"],
  ],
});

const LINES = [
  recording("ada", 100, 40),
  recording("ada", 60, -40),
  recording("bob", 100, 44),
  recording("bob", 60, -44),
  recording("eve", 900, 0),
];
writeFileSync(
  join(directory, "human_test.jsonl.gz"),
  gzipSync(LINES.map((line) => JSON.stringify(line)).join("\n")),
);

const BOUNDS = { x: 0, y: 0, width: 800, height: 600 };
const open = () => readRecordedPaths(directory, createRandom(1));

test("ends a path in the box, within the bounds, and begins it at the requested place", () => {
  const box = { x: 180, y: 120, width: 60, height: 40 };
  const from = { x: 100, y: 100 };
  const way = open().choose(box, BOUNDS, from);
  assert.deepEqual(way.start, from);
  const end = way.steps.at(-1);
  assert.ok(end !== undefined && end.x >= 184 && end.x <= 236 && end.y >= 124 && end.y <= 156);
});

test("keeps a person's own times", () => {
  const way = open().choose({ x: 180, y: 120, width: 60, height: 40 }, BOUNDS, { x: 100, y: 100 });
  assert.deepEqual(
    way.steps.map(({ afterMs }) => afterMs),
    [0, 16, 24],
  );
  assert.equal(way.restMs, 100);
  assert.equal(way.pressMs, 90);
});

test("uses no person's path twice, and none that leaves the page", () => {
  const people = open();
  const box = { x: 0, y: 0, width: 800, height: 600 };
  const from = { x: 300, y: 300 };
  const walked = [1, 2, 3, 4].map(() => people.choose(box, BOUNDS, from).steps.at(-1));
  assert.equal(new Set(walked.map((end) => `${end?.x} ${end?.y}`)).size, 4);
  assert.throws(() => people.choose(box, BOUNDS, from), /fewer sessions/);
});

test("stays with one person while one of their paths fits", () => {
  const people = open();
  const first = people.choose({ x: 395, y: 335, width: 20, height: 20 }, BOUNDS, {
    x: 300,
    y: 300,
  });
  const isAda = first.steps.at(-1)?.y === 340;
  const second = people.choose({ x: 0, y: 0, width: 800, height: 600 }, BOUNDS, { x: 300, y: 300 });
  assert.equal(second.steps.at(-1)?.y, isAda ? 260 : 256);
});

test("refuses a folder without people by name", () => {
  assert.throws(() => readRecordedPaths(tmpdir(), createRandom(1)), /human_/);
});
