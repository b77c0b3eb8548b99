import assert from "node:assert/strict";
import { test } from "node:test";
import { extractFeatures } from "@stile/risk/trajectory/features";
import { createPathScorer } from "@stile/risk/trajectory/path-scorer";
import { preparePath, type Segment } from "@stile/risk/trajectory/segment";
import { parseModel } from "@stile/risk/trajectory/shipped-model";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import type { HeldOut } from "./cross-validation.ts";
import { toPaths } from "./examples.ts";
import { finishModel, measureExceeded } from "./finish-model.ts";
import { createFolds } from "./folds.ts";
import { toKinds } from "./kinds.ts";
import type { Recording } from "./read-examples.ts";
import { toTrainingSet } from "./train.ts";

const course = (i: number) =>
  ({ from: [100 + 7 * (i % 60), 600 - 3 * (i % 60)], to: [470, 362 + (i % 50)] }) as const;

test("finishes a model that the service accepts and that separates hands from steps", () => {
  const people = Array.from({ length: 150 }, (_, i): Recording => {
    return {
      source: "",
      subject: `p${i % 5}`,
      kind: "human",
      generator: "human",
      events: handPath(course(i), i),
    };
  });
  const bots = Array.from({ length: 120 }, (_, i): Recording => {
    return {
      source: "",
      subject: `${i}`,
      kind: "bot",
      generator: "steps",
      events: steppedPath(course(i), 11 + (i % 30)),
    };
  });
  const recordings = [...people, ...bots];
  const folds = createFolds(recordings);
  const finished = finishModel(
    toTrainingSet(toPaths(recordings, folds).examples),
    toKinds(recordings, folds),
  );
  const model = parseModel(JSON.parse(JSON.stringify({ version: "made-up", ...finished })));
  const scorePath = createPathScorer(model);
  const logOddsOf = (segment: Segment): number =>
    scorePath(extractFeatures(preparePath(segment) ?? assert.fail("nothing moved")));
  assert.ok(logOddsOf(steppedPath(course(3), 25)) > 1);
  assert.ok(logOddsOf(handPath(course(3), 500)) < logOddsOf(steppedPath(course(3), 25)) - 2);
  assert.equal(model.exceeded.length, 3);
});

const copy = (subject: string, score: number): HeldOut => {
  const origin = {
    isBot: false,
    source: "",
    subject,
    generator: "human",
    fold: 0,
    device: { name: "it", regimes: [] },
  };
  return { score, raw: score, isBot: false, origin };
};

test("puts one in a thousand of people's paths above the last point, four above the one before, and varies a mean less", () => {
  const [one, two] = measureExceeded([Array.from({ length: 1000 }, (_, i) => copy("ada", i))]);
  assert.deepEqual(one, [
    [0.05, 949],
    [0.004, 995],
    [0.001, 998],
  ]);
  assert.ok((two?.[2]?.[1] ?? 0) < 998, "the mean of two varies less");
});

test("takes the points from the kind of device that looks most like a program, however few have it", () => {
  const usual = Array.from({ length: 9000 }, (_, i) => copy("ada", i / 9000));
  const odd = Array.from({ length: 1000 }, (_, i) => copy("ben", 2 + i / 1000));
  const [[, [, asked] = [0, 0]] = []] = measureExceeded([usual, odd, []]);
  assert.equal(odd.filter(({ score }) => score > asked).length, 4);
});

test("takes the points from a large collection of people, and not from a small one", () => {
  const of = (source: string, paths: readonly HeldOut[]): HeldOut[] =>
    paths.map((path) => ({ ...path, origin: { ...path.origin, source } }));
  const usual = of(
    "usual",
    Array.from({ length: 9000 }, (_, i) => copy("ada", i / 9000)),
  );
  const practised = (count: number) =>
    of(
      "practised",
      Array.from({ length: count }, (_, i) => copy("ben", 2 + i / count)),
    );
  const askedOf = (paths: readonly HeldOut[]) => {
    const [[, [, asked] = [0, 0]] = []] = measureExceeded([[...usual, ...paths]]);
    return paths.filter(({ score }) => score > asked).length;
  };
  assert.equal(askedOf(practised(2000)), 8);
  assert.ok(askedOf(practised(1000)) > 8);
});

test("allows fewer of people's visits above the point of a click the more paths they have", () => {
  const shares = measureExceeded([Array.from({ length: 30 }, (_, i) => copy("ada", i))]).map(
    (row) => row[1]?.[0],
  );
  assert.deepEqual(shares, [0.004, 0.003, 0.002]);
});
