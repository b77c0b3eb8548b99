import assert from "node:assert/strict";
import { test } from "node:test";
import type { Metric } from "./metrics.ts";
import {
  blockRateOf,
  hasStoppedVerifying,
  isVerifying,
  passRateOf,
  sumOutcome,
} from "./outcome.ts";

const counts = (entries: Readonly<Partial<Record<Metric, number>>>) =>
  Object.entries(entries).map(([metric, count = 0]) => ({ metric: metric as Metric, count }));

test("adds up refusals of all reasons, and leaves out counts that are no part of an outcome", () => {
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
  const failed = { failed: 0, steppedUp: 0, priced: 0 };
  assert.deepEqual(outcome, {
    issued: 9,
    solved: 8,
    ...failed,
    blocked: 2,
    tokens: 6,
    verified: 3,
    refused: 3,
  });
  assert.deepEqual(
    [passRateOf(outcome), blockRateOf(outcome), isVerifying(outcome)],
    [0.5, 0.25, "yes"],
  );
});

test("before any attempt there is no rate and no missing verification", () => {
  const outcome = sumOutcome([]);
  assert.deepEqual(
    [passRateOf(outcome), blockRateOf(outcome), isVerifying(outcome)],
    [null, null, "yes"],
  );
});

test("many tokens without a redemption show that the customer's server does not call, even with refusals", () => {
  const told = (tokens: number) =>
    isVerifying(sumOutcome(counts({ token_issued: tokens, "refused:missing_token": 4 })));
  // A few people may leave a form that works, but not twenty in a row.
  assert.deepEqual([told(0), told(1), told(19), told(20)], ["yes", "unsure", "unsure", "no"]);
});

test("a server has stopped if twenty redemptions are missing since its last one, in whole periods", () => {
  const stopped = (...periods: readonly (readonly [tokens: number, verified: number])[]) =>
    hasStoppedVerifying(periods.map(([tokens, verified]) => ({ tokens, verified })));
  assert.deepEqual(
    [stopped(), stopped([50, 0], [50, 0])],
    [false, false],
    "a server that never called has not stopped",
  );
  assert.equal(stopped([80, 80], [20, 0], [3, 0]), true);
  assert.equal(
    stopped([80, 80], [19, 0], [500, 0]),
    false,
    "the running period may be a moment old",
  );
  assert.equal(stopped([80, 80], [500, 0], [500, 1]), false, "it calls again");
  assert.equal(stopped([400, 40], [199, 0], [0, 0]), false, "nine in ten leave this form");
  assert.equal(stopped([400, 40], [100, 0], [100, 0], [0, 0]), true);
  assert.equal(stopped([1, 4], [19, 0], [0, 0]), false, "earlier issues make no share above one");
});
