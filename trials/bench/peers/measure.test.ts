import assert from "node:assert/strict";
import { test } from "node:test";
import type { Call, Contestant, Step } from "./contestant.ts";
import { expectRefusals, IN_FLIGHT, measureContestants, measureRound } from "./measure.ts";

const refuses: Call = () => Promise.reject(new Error("refused"));

/** A contestant that prepares at most three calls at a time and counts them. */
function createCounter(samples: Record<Step, number>, refused: readonly Call[] = [refuses]) {
  const made: Record<Step, number> = { issue: 0, check: 0, redeem: 0 };
  let [underWay, most] = [0, 0];
  const call = (step: Step) => async () => {
    most = Math.max(most, ++underWay);
    await new Promise(setImmediate);
    made[step] += 1;
    underWay -= 1;
  };
  const plan = (step: Step) => ({ samples: samples[step], contains: "" });
  const contestant: Contestant = {
    name: "counter",
    version: "0",
    puzzle: "",
    keeps: "",
    steps: { issue: plan("issue"), check: plan("check"), redeem: plan("redeem") },
    prepare: async (step, count) =>
      Array.from({ length: step === "check" ? Math.min(3, count) : count }, () => call(step)),
    prepareRefused: async () => refused,
    close: async () => {},
  };
  return { contestant, made, mostUnderWay: () => most };
}

test("a round makes exactly the calls of its plan, in batches of any size, and leaves out missing steps", async () => {
  const { contestant, made, mostUnderWay } = createCounter({ issue: 20, check: 7, redeem: 0 });
  const costs = await measureRound(contestant);
  assert.deepEqual(made, { issue: 20, check: 7, redeem: 0 });
  assert.equal(mostUnderWay(), IN_FLIGHT);
  assert.ok((costs.issue ?? 0) > 0 && (costs.check ?? 0) > 0);
  assert.equal(costs.redeem, undefined);
});

test("gives every contestant in turn a discarded round and as many rounds as requested", async () => {
  const [first, second] = [
    createCounter({ issue: 1, check: 1, redeem: 1 }),
    createCounter({ issue: 1, check: 1, redeem: 1 }),
  ];
  const told: string[] = [];
  const measured = await measureContestants([first.contestant, second.contestant], 2, (line) =>
    told.push(line),
  );
  assert.deepEqual(
    measured.map(({ rounds }) => rounds.length),
    [2, 2],
  );
  assert.deepEqual([first.made.issue, second.made.issue], [3, 3]);
  assert.deepEqual(told, ["round 1 of 2", "round 2 of 2"]);
});

test("does not measure a contestant that accepts what it must refuse", async () => {
  const lax = createCounter({ issue: 1, check: 1, redeem: 1 }, [refuses, async () => {}]);
  await assert.rejects(expectRefusals(lax.contestant), /counter took what it must refuse \(2\)/);
  await expectRefusals(createCounter({ issue: 1, check: 1, redeem: 1 }).contestant);
});

test("ends the measurement at a wrong answer", async () => {
  const { contestant } = createCounter({ issue: 1, check: 1, redeem: 1 });
  await assert.rejects(measureRound({ ...contestant, prepare: async () => [refuses] }), /refused/);
});
