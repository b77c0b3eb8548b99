import assert from "node:assert/strict";
import { test } from "node:test";
import { createFolds } from "./folds.ts";
import type { Recording } from "./read-examples.ts";

const human = (subject: string): Recording => ({
  source: "",
  subject,
  kind: "human",
  generator: "human",
  events: [],
});
const bot = (generator: string, subject: string): Recording => ({
  ...human(subject),
  kind: "bot",
  generator,
});
const people = (count: number): Recording[] =>
  Array.from({ length: 3 * count }, (_, i) => human(`p${i % count}`));
const BOTS = Array.from({ length: 60 }, (_, i) => bot(i % 2 ? "steps" : "jumps", `${i}`));

test("keeps all paths of a person in one fold, and gives the folds equally many people, or one more", () => {
  const { of, count } = createFolds([...people(12), ...BOTS]);
  assert.equal(count, 10);
  const foldOf = new Map(people(12).map((recording) => [recording.subject, of(recording)]));
  for (const recording of people(12)) assert.equal(of(recording), foldOf.get(recording.subject));
  const sizes = Array.from(
    { length: count },
    (_, fold) => [...foldOf.values()].filter((it) => it === fold).length,
  );
  assert.ok(
    sizes.every((size) => size === 1 || size === 2),
    String(sizes),
  );
});

test("spreads recordings of programs over all folds, each always in the same", () => {
  const { of } = createFolds([...people(12), ...BOTS]);
  assert.equal(new Set(BOTS.map(of)).size, 10);
  const again = createFolds([...BOTS, ...people(12)]);
  assert.deepEqual(BOTS.map(again.of), BOTS.map(of));
});

test("refuses a set of too few people, or without programs, and says what it needs", () => {
  assert.throws(() => createFolds([...people(3), ...BOTS]), /4 people are needed; here are 3/);
  assert.throws(() => createFolds(people(8)), /paths of programs are needed/);
});
