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

test("combines paths of one person or one program into a visit, and scores it by their mean", () => {
  const scored = [
    path("ada", 1),
    path("ben", 10),
    path("ada", 3),
    path("1", -4, "steps"),
    path("2", -6, "steps"),
  ];
  const visits = toVisits(scored, 2).map(({ score, isBot, paths }) => [score, isBot, paths]);
  assert.deepEqual(
    visits,
    [
      [2, false, 2],
      [-5, true, 2],
    ],
    "ben's one path makes no visit",
  );
});

test("leaves paths that the model does not score out of the mean, and puts a visit of only such paths above no threshold", () => {
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

test("builds a person's visit from one device", () => {
  const scored = [path("ada", 1, "human", "mouse"), path("ada", 2, "human", "touchpad")];
  assert.deepEqual(toVisits(scored, 2), []);
});

test("combines the same paths in other ways in each round, each time the same ones", () => {
  const scored = Array.from({ length: 30 }, (_, at) => path("ada", 2 ** at));
  const scores = toVisits(scored, 3, 4).map(({ score }) => score);
  assert.equal(scores.length, 40);
  assert.ok(new Set(scores).size > 30);
  assert.deepEqual(
    toVisits(scored, 3, 4).map(({ score }) => score),
    scores,
  );
});
