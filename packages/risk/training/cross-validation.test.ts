import assert from "node:assert/strict";
import { test } from "node:test";
import { handPath, steppedPath } from "@stile/testkit/visits/pointer-paths";
import { createFolds, holdOutGenerator, holdOutPeople } from "./cross-validation.ts";
import { areaUnderCurve } from "./measures.ts";
import { type Recording, toExamples } from "./read-examples.ts";
import { calibrate, trainModel } from "./train.ts";

const course = (i: number) => ({ from: [100 + 7 * i, 600 - 3 * i], to: [470, 362 + (i % 50)] }) as const;

/** Made-up recordings: some people with twelve paths each, and two programs with thirty. */
function madeUpRecordings(people: number): Recording[] {
  const humans = Array.from({ length: people * 12 }, (_, i): Recording => {
    return { subject: `p${i % people}`, kind: "human", generator: "human", events: handPath(course(i), i) };
  });
  const bots = ["steps", "quick"].flatMap((generator, which) =>
    Array.from({ length: 30 }, (_, i): Recording => {
      return { subject: `${i}`, kind: "bot", generator, events: steppedPath(course(3 * i + which), 8 + i + which) };
    }),
  );
  return [...humans, ...bots];
}

const EXAMPLES = madeUpRecordings(12).flatMap(toExamples);

test("nobody is on both sides: all paths of a person, and a recording with its altered copy, are in one fold", () => {
  const { of, count } = createFolds(EXAMPLES);
  assert.equal(count, 10);
  const foldsOf = new Map<string, Set<number>>();
  for (const example of EXAMPLES) {
    const key = example.isBot ? `${example.generator} ${example.subject}` : example.subject;
    foldsOf.set(key, (foldsOf.get(key) ?? new Set()).add(of(example)));
  }
  assert.equal(foldsOf.size, 12 + 60);
  for (const [key, folds] of foldsOf) assert.equal(folds.size, 1, key);
});

test("every fold has people, as many as the others or one more", () => {
  const { of, count } = createFolds(EXAMPLES);
  const people = Array.from({ length: count }, (_, fold) => {
    return new Set(EXAMPLES.filter((it) => !it.isBot && of(it) === fold).map(({ subject }) => subject)).size;
  });
  assert.ok(
    people.every((size) => size === 1 || size === 2),
    String(people),
  );
});

test("a set of too few people, or without programs, is refused with what it needs", () => {
  assert.throws(() => createFolds(madeUpRecordings(3).flatMap(toExamples)), /4 people are needed; here are 3/);
  assert.throws(() => createFolds(EXAMPLES.filter(({ isBot }) => !isBot)), /paths of programs are needed/);
});

test("every example is judged once, by a model that saw neither its person nor its recording, and told apart", () => {
  const few = madeUpRecordings(4).flatMap(toExamples);
  const seenFolds: string[] = [];
  const judged = holdOutPeople(few, (fold, of) => seenFolds.push(`${fold}/${of}`));
  assert.deepEqual(seenFolds, ["1/4", "2/4", "3/4", "4/4"]);
  assert.equal(new Set(judged.map(({ example }) => example)).size, few.length);
  assert.ok(areaUnderCurve(judged) > 0.95, String(areaUnderCurve(judged)));
});

test("what a person drew has no part in how they are judged: without their other paths, their score is the same", () => {
  const few = madeUpRecordings(4).flatMap(toExamples);
  const [kept] = few.filter(({ subject, isBot }) => subject === "p1" && !isBot);
  const scoreOf = (examples: typeof few): number =>
    holdOutPeople(examples).find(({ example }) => example === kept)?.raw ?? assert.fail("not judged");
  const alone = few.filter((example) => example.isBot || example.subject !== "p1" || example === kept);
  assert.equal(alone.length, few.length - 23);
  assert.equal(scoreOf(alone), scoreOf(few));
});

test("a program that is left out is judged by models that never saw it, against every person once", () => {
  const judged = holdOutGenerator(EXAMPLES, "quick");
  const expected = EXAMPLES.filter(({ isBot, generator }) => !isBot || generator === "quick");
  assert.equal(judged.length, expected.length);
  assert.deepEqual(new Set(judged.map(({ example }) => example)), new Set(expected));
});

test("the left-out program has no part in its own judgement: with other paths of its own, each scores the same", () => {
  const [kept] = EXAMPLES.filter(({ generator }) => generator === "quick");
  const scoreOf = (examples: typeof EXAMPLES): number =>
    holdOutGenerator(examples, "quick").find(({ example }) => example === kept)?.raw ?? assert.fail("not judged");
  const alone = EXAMPLES.filter((example) => example.generator !== "quick" || example === kept);
  assert.equal(scoreOf(alone), scoreOf(EXAMPLES));
});

test("the same examples give the same model, number by number", () => {
  assert.deepEqual(trainModel(EXAMPLES), trainModel(EXAMPLES));
});

test("calibrated scores are log-odds: among programs and people that score alike, shares are as predicted", () => {
  const people = Array.from({ length: 900 }, (_, i) => ({ score: i < 810 ? -5 : 5, isBot: false }));
  const bots = Array.from({ length: 300 }, (_, i) => ({ score: i < 30 ? -5 : 5, isBot: true }));
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
