import assert from "node:assert/strict";
import { test } from "node:test";
import { RISK_FLAGS } from "@stile/protocol/risk-flags";
import { RISK_GROUPS } from "@stile/protocol/risk-groups";
import {
  FLAG_WEIGHTS,
  GROUP_CAPS,
  logOdds,
  PRIOR_LOG_ODDS,
  SCORE_FLOORS,
  WEIGHTS_VERSION,
} from "./weights.ts";

test("computes log-odds as in textbooks: even odds are 0, and they mirror", () => {
  assert.equal(logOdds(0.5), 0);
  assert.ok(Math.abs(logOdds(0.95) + PRIOR_LOG_ODDS) < 1e-12);
  assert.ok(Math.abs(logOdds(0.75) - Math.log(3)) < 1e-12);
});

test("keeps every weight positive and finite (proof of work never lowers the score)", () => {
  for (const [flag, weight] of Object.entries(FLAG_WEIGHTS)) {
    assert.ok(weight > 0 && weight <= 6, flag);
  }
});

test("weighs exactly the flags and groups of the vocabulary (spec 2.2)", () => {
  assert.deepEqual(Object.keys(FLAG_WEIGHTS), Object.keys(RISK_FLAGS));
  assert.deepEqual(Object.keys(GROUP_CAPS), [...RISK_GROUPS]);
});

test("keeps a cap at or above the heaviest flag of its group that has no floor of its own", () => {
  for (const [flag, { group }] of Object.entries(RISK_FLAGS)) {
    const hasFloor = Object.hasOwn(SCORE_FLOORS, flag);
    assert.ok(
      hasFloor || GROUP_CAPS[group] >= FLAG_WEIGHTS[flag as keyof typeof FLAG_WEIGHTS],
      flag,
    );
  }
});

test("has a whole number as its version, so that stored scores can name it", () => {
  assert.ok(Number.isInteger(WEIGHTS_VERSION) && WEIGHTS_VERSION > 0);
});
