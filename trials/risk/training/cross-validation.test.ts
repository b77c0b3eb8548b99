import assert from "node:assert/strict";
import { test } from "node:test";
import { areaUnderCurve } from "@stile/risk/training/area-under-curve";
import { sumTrees } from "@stile/risk/trajectory/model";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import {
  type HeldOut,
  holdOutGenerator,
  holdOutPeople,
  holdOutRegime,
  standDown,
} from "./cross-validation.ts";
import { type Example, toPaths } from "./examples.ts";
import { createFolds } from "./folds.ts";
import type { Recording } from "./read-examples.ts";
import { calibrate, toTrainingSet, trainTrees } from "./train.ts";

const course = (i: number) =>
  ({ from: [100 + 7 * (i % 60), 600 - 3 * (i % 60)], to: [470, 362 + (i % 50)] }) as const;
const human = (i: number): Recording => {
  return {
    source: "",
    subject: `p${i % 5}`,
    kind: "human",
    generator: "human",
    events: handPath(course(i), i),
  };
};
const bot = (generator: string, i: number): Recording => {
  return {
    source: "",
    subject: `${i}`,
    kind: "bot",
    generator,
    events: steppedPath(course(i), 11 + (i % 30)),
  };
};
const many = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const RECORDINGS = [
  ...many(75, human),
  ...many(120, (i) => bot("steps", i)),
  ...many(120, (i) => bot("quick", i)),
];
const { examples: EXAMPLES } = toPaths(RECORDINGS, createFolds(RECORDINGS));
const SET = toTrainingSet(EXAMPLES);
const SCORED = holdOutPeople(SET);
const recorded = (scored: readonly HeldOut[]): HeldOut[] =>
  scored.filter(({ origin }) => origin.device === undefined && origin.source === "");

test("scores every example once, by a model that saw neither its person nor its recording, and separates them", () => {
  assert.equal(SCORED.length, EXAMPLES.length);
  const area = areaUnderCurve(recorded(SCORED));
  assert.ok(area > 0.95, String(area));
});

test("does not use a fold to score itself: with all its labels wrong, its scores are the same", () => {
  const lie = (example: Example): Example =>
    example.fold === 1 ? { ...example, isBot: !example.isBot } : example;
  const rawOf = (scored: readonly HeldOut[]) =>
    scored.filter(({ origin }) => origin.fold === 1).map(({ raw }) => raw);
  const told = rawOf(holdOutPeople({ ...SET, examples: EXAMPLES.map(lie) }));
  assert.deepEqual(told, rawOf(SCORED));
  assert.ok(told.length > 50);
});

const [FIRST = assert.fail()] = EXAMPLES;
/** Adds a path that is only scored, and also mislabels those programs that are only scored. */
const BESIDE = holdOutPeople(
  {
    ...SET,
    examples: EXAMPLES.map((it) =>
      it.generator === "made-up stitched" ? { ...it, isBot: false } : it,
    ),
  },
  [{ ...FIRST, isBot: true, device: { name: "slow", regimes: [] } }],
);
const isMore = ({ origin }: HeldOut): boolean => origin.device?.name === "slow";

test("scores more paths alongside, without training on them", () => {
  assert.equal(BESIDE.length, EXAMPLES.length + 1);
  const raw = BESIDE.find(isMore)?.raw;
  const before = SCORED.filter(
    ({ origin }) => origin.subject === FIRST.subject && origin.device === undefined,
  );
  assert.ok(before.some((it) => it.raw === raw));
});

test("never trains on programs that are only scored", () => {
  assert.ok(EXAMPLES.some(({ generator }) => generator === "made-up stitched"));
  const told = BESIDE.filter((it) => !isMore(it)).map(({ raw }) => raw);
  assert.deepEqual(
    told,
    SCORED.map(({ raw }) => raw),
  );
});

test("scores a program that is left out by models that never saw it, against every person once", () => {
  const scored = holdOutGenerator(SET, "quick");
  const plain = EXAMPLES.filter(
    ({ isBot, generator, device }) => !device && (!isBot || generator === "quick"),
  );
  assert.equal(scored.length, plain.length);
  const lie = (example: Example): Example =>
    example.generator === "quick" ? { ...example, isBot: false } : example;
  const told = holdOutGenerator({ ...SET, examples: EXAMPLES.map(lie) }, "quick");
  const rawsOf = (some: readonly HeldOut[]) =>
    some.filter(({ origin }) => origin.generator === "quick").map(({ raw }) => raw);
  assert.deepEqual(rawsOf(told), rawsOf(scored));
});

test("scores a kind of device that is left out by models that never saw it", () => {
  const isOf = ({ device }: { device?: Example["device"] }): boolean =>
    device?.regimes.includes("coalesced") ?? false;
  const scored = holdOutRegime(SET, "coalesced");
  assert.ok(
    scored.some(({ origin }) => isOf(origin)) && scored.some(({ origin }) => !isOf(origin)),
  );
  assert.ok(scored.every(({ isBot, origin }) => !isBot && origin.device !== undefined));
  const heavier = EXAMPLES.map((it) => (isOf(it) && it.isBot ? { ...it, generator: "steps" } : it));
  assert.deepEqual(holdOutRegime({ ...SET, examples: heavier }, "coalesced"), scored);
});

test("puts no path above a threshold if the model does not score it", () => {
  const [path] = standDown([
    { isBot: true, source: "", subject: "1", generator: "ghost", fold: 0, why: "seldom_moves" },
  ]);
  assert.deepEqual([path?.isBot, path?.score], [true, Number.NEGATIVE_INFINITY]);
});

test("grows the same trees from the same examples", () => {
  const all = trainTrees(SET, () => true);
  assert.ok(all.length > 100);
  const again = trainTrees(SET, () => true);
  assert.deepEqual(again, all);
});

test("weighs copies on synthetic devices less than recordings, which win if they contradict", () => {
  const drawn = EXAMPLES.filter(
    (it) => it.device === undefined && ["human", "steps"].includes(it.generator),
  );
  const contradicted = drawn.flatMap((it): Example[] => {
    const copy = { ...it, isBot: !it.isBot, generator: it.isBot ? "human" : "steps" };
    return [it, { ...copy, device: { name: "liar", regimes: [] } }];
  });
  const trees = trainTrees(toTrainingSet(contradicted), () => true);
  const right = contradicted.filter(
    (it) => it.device === undefined && sumTrees(trees, it.features) > 0 === it.isBot,
  );
  assert.ok(
    right.length > 0.45 * contradicted.length,
    `${right.length} of ${contradicted.length / 2}`,
  );
});

test("weighs people three times as much as all programs, also if nothing separates them", () => {
  const drawnAs = (generator: string) =>
    EXAMPLES.filter((it) => it.device === undefined && it.generator === generator);
  const [people, programs] = [drawnAs("human"), drawnAs("steps")];
  const mimics = people.map((it): Example => ({ ...it, isBot: true, generator: "steps" }));
  const trees = trainTrees(toTrainingSet([...people, ...mimics, ...programs]), () => true);
  const odds = mimics.length / (mimics.length + programs.length) / 3;
  const likely = people.map(({ features }) => 1 / (1 + Math.exp(-sumTrees(trees, features))));
  const mean = likely.reduce((sum, it) => sum + it, 0) / likely.length;
  assert.ok(Math.abs(mean - odds / (1 + odds)) < 0.02, `${mean} for odds of ${odds}`);
});

test("calibrates scores into log-odds: the shares of programs and people are as predicted", () => {
  const people = many(900, (i) => ({ score: i < 810 ? -5 : 5, isBot: false }));
  const bots = many(300, (i) => ({ score: i < 30 ? -5 : 5, isBot: true }));
  const { slope, offset } = calibrate([...people, ...bots]);
  for (const [score, share] of [
    [-5, 0.1],
    [5, 0.9],
  ] as const) {
    const predicted = 1 / (1 + Math.exp(-(slope * score + offset)));
    assert.ok(Math.abs(predicted - share) < 0.005, `${predicted} is not ${share}`);
  }
  assert.deepEqual(calibrate(people), { slope: 1, offset: 0 }, "nothing to calibrate on");
});
