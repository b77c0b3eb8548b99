import assert from "node:assert/strict";
import { test } from "node:test";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { RISK_GROUPS } from "@stile/protocol/risk-groups";
import fc from "fast-check";
import { type Contribution, toScore } from "./score.ts";
import { FLAG_WEIGHTS, GROUP_CAPS, PRIOR_LOG_ODDS, SCORE_FLOORS } from "./weights.ts";

const ALL = Object.keys(RISK_FLAGS) as RiskFlag[];
const contribute = (flags: readonly RiskFlag[]): Contribution[] =>
  flags.map((flag) => ({ flag, weight: FLAG_WEIGHTS[flag] }));
const scoreOf = (...flags: RiskFlag[]): number => toScore(contribute(flags));
const squash = (logit: number): number => 1 / (1 + Math.exp(-logit));

test("scores a visitor without flags 0.05 (spec 4.2)", () => {
  assert.equal(scoreOf(), 0.05);
});

test("never lowers the score for another flag, with or without a token (risk score, form)", () => {
  const subset = fc.uniqueArray(fc.constantFrom(...ALL));
  const token = fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined });
  fc.assert(
    fc.property(subset, fc.constantFrom(...ALL), token, (flags, extra, tokenScore) => {
      const more = flags.includes(extra) ? flags : [...flags, extra];
      assert.ok(toScore(contribute(more), tokenScore) >= toScore(contribute(flags), tokenScore));
    }),
    { numRuns: 2000 },
  );
});

test("raises the score for every flag of an otherwise unsuspicious visitor (spec 2.2)", () => {
  for (const flag of ALL) assert.ok(scoreOf(flag) > scoreOf(), flag);
});

test("does not depend on the order of contributions (risk score, form)", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(ALL),
      (flags) => scoreOf(...flags) === scoreOf(...[...flags].reverse()),
    ),
  );
});

for (const group of RISK_GROUPS) {
  const members = ALL.filter(
    (flag) => RISK_FLAGS[flag].group === group && SCORE_FLOORS[flag] === undefined,
  );
  const witness = members[0];
  if (witness === undefined) continue;

  test(`caps the sum of all contributions of the group ${group} (risk score, form)`, () => {
    const atCap = Math.round(squash(PRIOR_LOG_ODDS + GROUP_CAPS[group]) * 100) / 100;
    assert.equal(toScore([{ flag: witness, weight: 50 }]), atCap);
    assert.ok(scoreOf(...members) <= atCap);
  });
}

test("blocks for no single flag of trajectory, network or history without another group, except an invalid token (D6, scores)", () => {
  for (const group of ["trajectory", "network", "history"] as const) {
    assert.ok(squash(PRIOR_LOG_ODDS + GROUP_CAPS[group]) < 0.6, group);
  }
});

test("never blocks by all flags about paths together: one movement causes them (D6, scores)", () => {
  const aboutPaths: RiskFlag[] = ["trajectory_bot", "trajectory_replayed"];
  for (const flag of aboutPaths) assert.equal(RISK_FLAGS[flag].group, "trajectory");
  assert.ok(scoreOf(...aboutPaths) < 0.6, `score ${scoreOf(...aboutPaths)}`);
});

test("keeps flags that people can raise below the block threshold if they are alone (D6, scores)", () => {
  const hard: RiskFlag[] = [
    "automation_webdriver",
    "ua_headless",
    "ua_declared_bot",
    "driver_globals",
    "native_tampered",
    "fractional_pointer",
    "behaviour_repeated",
    "token_invalid",
  ];
  for (const flag of ALL)
    assert.equal(scoreOf(flag) >= 0.6, hard.includes(flag), `${flag}: ${scoreOf(flag)}`);
});

test("never publishes a flag with a floor below that floor (D7, score request; D9, submission)", () => {
  for (const [flag, floor] of Object.entries(SCORE_FLOORS)) {
    assert.ok(toScore([{ flag: flag as RiskFlag, weight: 0.001 }]) >= floor, flag);
  }
  assert.equal(scoreOf("low_evidence"), 0.3);
  assert.equal(toScore([{ flag: "token_invalid", weight: 0.001 }], 0), 1);
});

test("rounds scores to two decimals (D6, scores)", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ALL),
      fc.double({ min: 0.001, max: 9, noNaN: true }),
      (flag, weight) => {
        const score = toScore([{ flag, weight }]);
        assert.equal(score, Number(score.toFixed(2)));
      },
    ),
  );
});

test("does not add again what a token's score already includes about the browser; the worse of the two counts (D7, score request)", () => {
  const atSolve = scoreOf("headless_media");
  assert.equal(toScore(contribute(["headless_media"]), atSolve), atSolve);
  assert.ok(toScore(contribute(["automation_webdriver"]), atSolve) >= 0.6);
});

test("continues from a token's score of 0 or 1 without dividing by it (D5, binding)", () => {
  assert.equal(toScore([], 0), 0.05);
  assert.equal(toScore([], 1), 1);
  assert.equal(toScore(contribute(["ip_changed"]), 1), 1);
});
