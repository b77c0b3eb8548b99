import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeldOut } from "./cross-validation.ts";
import { toVisits } from "./visits.ts";

const path = (subject: string, score: number, generator = "human"): HeldOut => {
  const isBot = generator !== "human";
  return {
    score,
    raw: score,
    isBot,
    example: { features: new Float64Array(0), isBot, subject, generator, isAltered: false },
  };
};

test("a visit is of one person or one program, and its score is the mean of its paths", () => {
  const judged = [path("ada", 1), path("ben", 10), path("ada", 3), path("1", -4, "steps"), path("2", -6, "steps")];
  const visits = toVisits(judged, 2).map(({ score, isBot }) => [score, isBot]);
  assert.deepEqual(
    visits,
    [
      [2, false],
      [-5, true],
    ],
    "ben's one path makes no visit",
  );
});

test("rounds put the same paths together in other ways, each time the same ones", () => {
  const judged = Array.from({ length: 30 }, (_, at) => path("ada", 2 ** at));
  const scores = toVisits(judged, 3, 4).map(({ score }) => score);
  assert.equal(scores.length, 40);
  assert.ok(new Set(scores).size > 30);
  assert.deepEqual(
    toVisits(judged, 3, 4).map(({ score }) => score),
    scores,
  );
});
