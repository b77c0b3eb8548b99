import assert from "node:assert/strict";
import { test } from "node:test";
import { BATCH_MOMENTS, toBatch } from "./batch.ts";
import { readBatch } from "./read-batch.ts";
import {
  type BehaviourSignals,
  type PointerSample,
  SIGNALS_VERSION,
  type ToggleSample,
} from "./signals.ts";

const visit = (changes: Partial<BehaviourSignals>): BehaviourSignals => ({
  v: SIGNALS_VERSION,
  durationMs: 4_200.4,
  solveMs: null,
  pointer: [],
  keys: [],
  focus: [],
  visibility: [],
  scroll: [],
  box: null,
  callers: [],
  ...changes,
});
const move = (ms: number, x: number, y: number): PointerSample => [ms, x, y, 0, 0, 0, 1, 1, 1, 1];

test("a batch contains its time, and the newest moments of pointer and keys in whole numbers", () => {
  const keys: readonly ToggleSample[] = [
    [610.4, 1],
    [700.6, 0],
  ];
  const text = toBatch(visit({ pointer: [move(400.6, 12.2, -3.7), move(416, 14, 0)], keys }));
  assert.equal(text, "4200~401.12.-4_416.14.0~610_701");
  assert.deepEqual(readBatch(text), {
    atMs: 4_200,
    pointer: ["401.12.-4", "416.14.0"],
    keys: [610, 701],
  });
});

test("a visit without input has an empty batch", () => {
  assert.equal(toBatch(visit({})), "4200~~");
  assert.deepEqual(readBatch("4200~~"), { atMs: 4_200, pointer: [], keys: [] });
});

test("a batch is short, readable and free of characters that a URL escapes, however much happened", () => {
  const most = 1e9 - 1;
  const pointer = Array.from({ length: 200 }, () => move(most, -99_999, -99_999));
  const keys = Array.from({ length: 96 }, (): ToggleSample => [most, 1]);
  const text = toBatch(visit({ durationMs: most, pointer, keys }));
  assert.ok(text.length <= 755, String(text.length));
  assert.equal(
    new URLSearchParams({ text }).toString().replace("%7E", "~").replace("%7E", "~"),
    `text=${text}`,
  );
  assert.equal(readBatch(text)?.pointer.length, BATCH_MOMENTS);
});

test("refuses any other text: too many moments, numbers that are too long, parts that are missing", () => {
  const row = "1.2.3";
  const many = (item: string): string =>
    Array.from({ length: BATCH_MOMENTS + 1 }, () => item).join("_");
  const texts = [
    "",
    "~~",
    "1",
    "1~",
    "-1~~",
    "1~~~",
    `1~${many(row)}~`,
    `1~~${many("1")}`,
    "1~1.2~",
    "1~_~",
    "1~~-1",
  ];
  for (const text of [
    ...texts,
    "12345678901~~",
    "1~1.2.3_~",
    "1~1.2.3.4~",
    "1.5~~",
    " 1~~",
    "1~~\n",
    "١~~",
  ]) {
    assert.equal(readBatch(text), undefined, JSON.stringify(text));
  }
});
