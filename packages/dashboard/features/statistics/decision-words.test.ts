import assert from "node:assert/strict";
import { test } from "node:test";
import type { ScoredRequestData } from "@stile/protocol/dashboard-statistics";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { describeDecision, toReasons } from "./decision-words.ts";
import { flagLabel } from "./text.ts";

const decision: ScoredRequestData = {
  decisionId: "1",
  atMs: 0,
  requestId: "request-1",
  source: "widget",
  recommendation: "block",
  outcome: "blocked",
  score: 0.83,
  contributions: [
    { flag: "automation_webdriver", weight: 4.5 },
    { flag: "velocity_ip", weight: 0.8 },
  ],
  action: null,
  host: null,
  device: "desktop",
  solveMs: null,
  label: null,
};

test("describes each flag, its effect on the odds, and a bar relative to the heaviest", () => {
  assert.deepEqual(toReasons(decision), [
    {
      flag: "automation_webdriver",
      label: "The browser reports that it is controlled by a program.",
      strength: "90 times more likely to be a bot",
      part: 1,
    },
    {
      flag: "velocity_ip",
      label: "Many attempts from this network in a short time.",
      strength: "2.2 times more likely to be a bot",
      part: 0.8 / 4.5,
    },
  ]);
});

test("handles decisions without flags, and flags without weight", () => {
  assert.deepEqual(toReasons({ contributions: [] }), []);
  assert.equal(toReasons({ contributions: [{ flag: "low_evidence", weight: 0 }] })[0]?.part, 0);
});

test("has a label for every known flag, and shows an unknown one by its name", () => {
  for (const flag of Object.keys(RISK_FLAGS) as RiskFlag[]) assert.notEqual(flagLabel(flag), flag);
  assert.equal(flagLabel("a_flag_of_tomorrow" as RiskFlag), "a_flag_of_tomorrow");
});

test("names score, recommendation and the current thresholds in the sentence", () => {
  assert.equal(
    describeDecision(decision, { challenge: 0.3, block: 0.6 }),
    "The score was 0.83 on a scale from 0 (person) to 1 (bot), so the recommendation was to block. Your thresholds now: challenge from 0.30, block from 0.60.",
  );
});

test("marks a shadow flag instead of showing a factor", () => {
  const [reason] = toReasons({ contributions: [{ flag: "event_time_phase", weight: 0 }] });
  assert.equal(reason?.strength, "shadow flag, not scored");
});
