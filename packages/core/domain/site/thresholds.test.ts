import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import { recommend } from "./thresholds.ts";

test("recommends by the ranges of spec 4.2, where each threshold belongs to the range above it (D6, scores)", () => {
  const table = {
    0: "allow",
    0.29: "allow",
    0.3: "challenge",
    0.59: "challenge",
    0.6: "block",
    1: "block",
  };
  for (const [score, recommendation] of Object.entries(table)) {
    assert.equal(recommend(Number(score), DEFAULT_THRESHOLDS), recommendation, score);
  }
});

test("every published score of two decimals falls on the side of its number (D6, scores)", () => {
  for (let hundredths = 0; hundredths <= 100; hundredths++) {
    const expected = hundredths < 30 ? "allow" : hundredths < 60 ? "challenge" : "block";
    assert.equal(
      recommend(Math.round(hundredths) / 100, DEFAULT_THRESHOLDS),
      expected,
      String(hundredths),
    );
  }
});

test("follows the thresholds of the site (D6, scores)", () => {
  const thresholds = { challenge: 0.1, block: 0.9 };
  assert.deepEqual(
    [0.09, 0.1, 0.89, 0.9].map((score) => recommend(score, thresholds)),
    ["allow", "challenge", "challenge", "block"],
  );
});

test("goes straight from allow to block where both thresholds are the same (D6, scores)", () => {
  const thresholds = { challenge: 0.5, block: 0.5 };
  assert.deepEqual(
    [0.49, 0.5].map((score) => recommend(score, thresholds)),
    ["allow", "block"],
  );
});
