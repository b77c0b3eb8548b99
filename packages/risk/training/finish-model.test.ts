import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { extractFeatures } from "../trajectory/features.ts";
import { createPathJudge } from "../trajectory/path-judge.ts";
import { preparePath, type Segment } from "../trajectory/segment.ts";
import { parseModel } from "../trajectory/shipped-model.ts";
import type { HeldOut } from "./cross-validation.ts";
import type { Regime } from "./device-copies.ts";
import { toPaths } from "./examples.ts";
import { finishModel, measureExceeded } from "./finish-model.ts";
import { createFolds } from "./folds.ts";
import type { Recording } from "./read-examples.ts";
import { toTrainingSet } from "./train.ts";

const course = (i: number) => ({ from: [100 + 7 * (i % 60), 600 - 3 * (i % 60)], to: [470, 362 + (i % 50)] }) as const;

test("a finished model is one that the service takes, and tells hands from steps", () => {
  const people = Array.from({ length: 150 }, (_, i): Recording => {
    return { source: "", subject: `p${i % 5}`, kind: "human", generator: "human", events: handPath(course(i), i) };
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
  const { examples } = toPaths(recordings, createFolds(recordings));
  const model = parseModel(JSON.parse(JSON.stringify({ version: "made-up", ...finishModel(toTrainingSet(examples)) })));
  const judgePath = createPathJudge(model);
  const judge = (segment: Segment): number =>
    judgePath(extractFeatures(preparePath(segment) ?? assert.fail("nothing moved")));
  assert.ok(judge(steppedPath(course(3), 25)) > 1);
  assert.ok(judge(handPath(course(3), 500)) < judge(steppedPath(course(3), 25)) - 2);
  assert.equal(model.exceeded.length, 3);
});

const copy = (subject: string, score: number, device?: string, regimes: readonly Regime[] = []): HeldOut => {
  const named = device === undefined ? {} : { device: { name: device, regimes } };
  const origin = { isBot: false, source: "", subject, generator: "human", fold: 0, ...named };
  return { score, raw: score, isBot: false, origin };
};

test("the points are those of people's copies, not of their recordings: of a thousand copies, one exceeds the last", () => {
  const copies = Array.from({ length: 1000 }, (_, i) => copy("ada", i, "mouse"));
  const recordings = Array.from({ length: 1000 }, () => copy("ada", 1e6));
  const [one, two] = measureExceeded([...recordings, ...copies]);
  assert.deepEqual(one, [
    [0.05, 949],
    [0.005, 994],
    [0.001, 998],
  ]);
  assert.ok((two?.[2]?.[1] ?? 0) < 998, "the mean of two strays less");
});

test("no kind of device is asked more often than all: its own points count where they are higher", () => {
  const usual = Array.from({ length: 9000 }, (_, i) => copy("ada", i / 9000, "mouse"));
  const odd = Array.from({ length: 1000 }, (_, i) => copy("ben", 2 + i / 1000, "touchpad", ["smoothed"]));
  const [[, [, asked] = [0, 0]] = []] = measureExceeded([...usual, ...odd]);
  assert.ok(odd.filter(({ score }) => score > asked).length === 5, String(asked));
  const few = odd.slice(0, 400);
  const [[, [, askedFew] = [0, 0]] = []] = measureExceeded([...usual, ...few]);
  assert.equal(
    [...usual, ...few].filter(({ score }) => score > askedFew).length,
    47,
    "too few to say anything by themselves",
  );
});
