import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metric } from "./metrics.ts";
import { blockRateOf, isVerifying, passRateOf, sumOutcome } from "./outcome.ts";

const counts = (entries: Readonly<Partial<Record<Metric, number>>>) =>
  Object.entries(entries).map(([metric, count = 0]) => ({ metric: metric as Metric, count }));

test("adds refusals of all reasons up, and leaves out what is no part of an outcome", () => {
  const outcome = sumOutcome(
    counts({
      challenge_issued: 9,
      challenge_solved: 8,
      challenge_blocked: 2,
      token_issued: 6,
      token_redeemed: 3,
      "refused:token_expired": 1,
      "refused:token_already_used": 2,
      score_requested: 100,
      "score::07": 8,
    }),
  );
  const failed = { failed: 0, steppedUp: 0 };
  assert.deepEqual(outcome, { issued: 9, solved: 8, ...failed, blocked: 2, tokens: 6, verified: 3, refused: 3 });
  assert.deepEqual([passRateOf(outcome), blockRateOf(outcome), isVerifying(outcome)], [0.5, 0.25, "yes"]);
});

test("before anything happened there is no rate, and nobody forgot to verify", () => {
  const outcome = sumOutcome([]);
  assert.deepEqual([passRateOf(outcome), blockRateOf(outcome), isVerifying(outcome)], [null, null, "yes"]);
});

test("many tokens of which none was redeemed tell that the customer's server does not call, refusals or not", () => {
  const told = (tokens: number) =>
    isVerifying(sumOutcome(counts({ token_issued: tokens, "refused:missing_token": 4 })));
  // A few people may leave a form that works, but not twenty in a row.
  assert.deepEqual([told(0), told(1), told(19), told(20)], ["yes", "unsure", "unsure", "no"]);
});
