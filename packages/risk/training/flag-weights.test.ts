import assert from "node:assert/strict";
import { test } from "node:test";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { toScore } from "../score.ts";
import { createRandom } from "../seeded-random.ts";
import { FITTED_FLAGS, weightBounds } from "../weight-bounds.ts";
import { FLAG_WEIGHTS, type FlagWeights } from "../weights.ts";
import { fitFlagWeights, type LabelledDecision } from "./flag-weights.ts";

type Label = LabelledDecision["label"];
/** How often each flag is present among people and among programs. */
type Rates = Partial<Record<RiskFlag, readonly [person: number, bot: number]>>;

const entries = Object.entries as <Value>(
  it: Partial<Record<RiskFlag, Value>>,
) => [RiskFlag, Value][];

function decide(label: Label, flags: readonly RiskFlag[]): LabelledDecision {
  const recorded = flags.map((flag) => ({ flag, weight: FLAG_WEIGHTS[flag] }));
  return {
    label,
    score: toScore(recorded),
    flags: Object.fromEntries(recorded.map(({ flag, weight }) => [flag, weight])),
  };
}

function draw(people: number, bots: number, rates: Rates, seed = 7): LabelledDecision[] {
  const random = createRandom(seed);
  const some = (label: Label, side: 0 | 1, count: number): LabelledDecision[] =>
    Array.from({ length: count }, () =>
      decide(
        label,
        entries(rates).flatMap(([flag, rate]) => (random() < rate[side] ? [flag] : [])),
      ),
    );
  return [...some("person", 0, people), ...some("bot", 1, bots)];
}

/** A site whose programs come from a data centre with odd headers, unlike its people. */
const TELLING: Rates = {
  ip_datacenter: [0.02, 0.7],
  header_inconsistent: [0.01, 0.6],
  velocity_ip: [0.1, 0.3],
};

test("fits nothing with fewer than 200 decisions of either label", () => {
  assert.deepEqual(fitFlagWeights(draw(199, 900, TELLING)), {
    kind: "too_few",
    people: 199,
    bots: 900,
  });
  assert.deepEqual(fitFlagWeights(draw(900, 199, TELLING)), {
    kind: "too_few",
    people: 900,
    bots: 199,
  });
  assert.deepEqual(fitFlagWeights([]), { kind: "too_few", people: 0, bots: 0 });
});

test("raises the weight of a flag that marks this site's programs, and separates them better than the table does", () => {
  const fit = fitFlagWeights(draw(2000, 1000, TELLING));
  assert.ok(fit.kind === "fitted", fit.kind);
  assert.ok(
    fit.weights.ip_datacenter > FLAG_WEIGHTS.ip_datacenter + 0.5,
    `${fit.weights.ip_datacenter}`,
  );
  assert.ok(fit.after.auc > fit.before.auc);
  assert.deepEqual([fit.people, fit.bots], [2000, 1000]);
});

test("lowers the weight of a flag that people raise as often as programs", () => {
  const rates: Rates = { ...TELLING, headless_media: [0.3, 0.3] };
  const fit = fitFlagWeights(draw(2000, 1000, rates));
  assert.ok(fit.kind === "fitted", fit.kind);
  assert.ok(
    fit.weights.headless_media < FLAG_WEIGHTS.headless_media - 0.5,
    `${fit.weights.headless_media}`,
  );
  assert.ok(fit.weights.headless_media > 0);
});

test("asks or blocks no more people than is allowed, or than before, among seen and unseen ones", () => {
  let fitted = 0;
  for (let seed = 0; seed < 10; seed++) {
    const rates: Rates = {
      ...TELLING,
      headless_media: [0.04, 0.5],
      no_approach: [0.06, 0.5],
      ua_changed: [0.02, 0.4],
    };
    const decisions = draw(600, 400, rates, seed);
    const fit = fitFlagWeights(decisions);
    if (fit.kind !== "fitted") continue;
    fitted += 1;
    assert.ok(
      fit.after.peopleAsked <= Math.max(0.01, fit.before.peopleAsked),
      `seed ${seed}: ${fit.after.peopleAsked}`,
    );
    assert.ok(
      fit.after.peopleBlocked <= Math.max(0.001, fit.before.peopleBlocked),
      `seed ${seed}: ${fit.after.peopleBlocked}`,
    );
  }
  assert.ok(fitted > 0, "nothing was fitted");
});

test("changes nothing for labels that mean nothing", () => {
  const noise: Rates = { ip_datacenter: [0.3, 0.3], velocity_ip: [0.2, 0.2] };
  let fitted = 0;
  for (let seed = 0; seed < 5; seed++) {
    const fit = fitFlagWeights(draw(400, 400, noise, seed));
    if (fit.kind === "fitted") fitted += 1;
  }
  assert.ok(fitted <= 2, `${fitted} of 5`);
});

test("does not let wrong labels of a driven browser turn a weak flag into a block (an insider's labels)", () => {
  const turned: Rates = { ip_tor: [0, 1], velocity_ip: [0, 1], automation_webdriver: [0.9, 0] };
  const fit = fitFlagWeights(draw(2000, 2000, turned));
  const weights: FlagWeights = fit.kind === "fitted" ? fit.weights : FLAG_WEIGHTS;
  for (const flag of FITTED_FLAGS) {
    const alone = toScore([{ flag, weight: weights[flag] }]);
    const before = toScore([{ flag, weight: FLAG_WEIGHTS[flag] }]);
    assert.ok(alone < 0.3 || before >= 0.3, `${flag} alone asks for a click`);
    assert.ok(alone < 0.6 || before >= 0.6, `${flag} alone blocks`);
    assert.ok(weights[flag] > 0, flag);
  }
});

test("keeps the weight of flags that are rare, in shadow, partly present, or fixed by contract", () => {
  const rates: Rates = {
    ...TELLING,
    driver_globals: [0, 0.01],
    pow_fallback: [0, 0.5],
    trajectory_bot: [0, 0.6],
  };
  const fit = fitFlagWeights(draw(1500, 1000, rates));
  assert.ok(fit.kind === "fitted", fit.kind);
  for (const flag of [
    "driver_globals",
    "pow_fallback",
    "trajectory_bot",
    "event_time_phase",
    "low_evidence",
  ] as const) {
    assert.equal(fit.weights[flag], FLAG_WEIGHTS[flag], flag);
  }
});

test("leaves out decisions whose score came with a token, since no flag explains it", () => {
  const decisions = draw(200, 200, TELLING);
  const carried = decisions.slice(0, 5).map((decision) => ({ ...decision, score: 0.97 }));
  const fit = fitFlagWeights([...carried, ...decisions.slice(5)]);
  assert.deepEqual(fit, { kind: "too_few", people: 195, bots: 200 });
});

test("gives the same weights for the same decisions", () => {
  const decisions = draw(500, 500, TELLING);
  assert.deepEqual(fitFlagWeights(decisions), fitFlagWeights(decisions));
});

test("the shipped weights lie within the bounds of every flag", () => {
  for (const flag of FITTED_FLAGS) {
    const { least, most } = weightBounds(flag);
    assert.ok(least <= FLAG_WEIGHTS[flag] && FLAG_WEIGHTS[flag] <= most, flag);
  }
});
