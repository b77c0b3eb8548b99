import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeldOut } from "./cross-validation.ts";
import { toVisits } from "./visits.ts";

const path = (subject: string, score: number, generator = "human", device = ""): HeldOut => {
  const isBot = generator !== "human";
  const origin = {
    isBot,
    source: "",
    subject,
    generator,
    fold: 0,
    device: { name: device, regimes: [] },
  };
  return { score, raw: score, isBot, origin };
};

test("a visit is of one person or one program, and its score is the mean of its paths", () => {
  const judged = [
    path("ada", 1),
    path("ben", 10),
    path("ada", 3),
    path("1", -4, "steps"),
    path("2", -6, "steps"),
  ];
  const visits = toVisits(judged, 2).map(({ score, isBot, paths }) => [score, isBot, paths]);
  assert.deepEqual(
    visits,
    [
      [2, false, 2],
      [-5, true, 2],
    ],
    "ben's one path makes no visit",
  );
});

test("paths on which the model stands down have no part in the mean; a visit of none but them is above no threshold", () => {
  const none = Number.NEGATIVE_INFINITY;
  const mixed = toVisits([path("ada", 4), path("ada", none)], 2).map(({ score, paths }) => [
    score,
    paths,
  ]);
  assert.deepEqual(mixed, [[4, 1]]);
  const still = toVisits([path("ada", none), path("ada", none)], 2).map(({ score, paths }) => [
    score,
    paths,
  ]);
  assert.deepEqual(still, [[none, 0]]);
});

test("a person's visit comes from one device", () => {
  const judged = [path("ada", 1, "human", "mouse"), path("ada", 2, "human", "touchpad")];
  assert.deepEqual(toVisits(judged, 2), []);
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
