import type { OutcomePoint } from "@stile/protocol/dashboard-statistics";
import { type Metric, splitMetric } from "./metrics.ts";

/** What became of challenges, solutions and tokens in some time. */
export type Outcome = Omit<OutcomePoint, "startMs">;

type OutcomeCounts = { -readonly [Field in keyof Outcome]: Outcome[Field] };

const FIELDS: Readonly<Partial<Record<Metric, keyof Outcome>>> = {
  challenge_issued: "issued",
  challenge_solved: "solved",
  challenge_failed: "failed",
  challenge_stepped_up: "steppedUp",
  challenge_blocked: "blocked",
  token_issued: "tokens",
  token_redeemed: "verified",
};

/** Adds up counts by metric; metrics that are no part of an outcome are left out. */
export function sumOutcome(counts: Iterable<{ readonly metric: Metric; readonly count: number }>): Outcome {
  const sums: OutcomeCounts = {
    issued: 0,
    solved: 0,
    failed: 0,
    steppedUp: 0,
    blocked: 0,
    tokens: 0,
    verified: 0,
    refused: 0,
  };
  for (const { metric, count } of counts) {
    const field = splitMetric(metric).kind === "refused" ? "refused" : FIELDS[metric];
    if (field !== undefined) sums[field] += count;
  }
  return sums;
}

/** What share of the redemption attempts were verified, 0..1; null before the first. */
export function passRateOf({ verified, refused }: Outcome): number | null {
  return verified + refused === 0 ? null : verified / (verified + refused);
}

/** What share of the judged solutions were blocked, 0..1; null before the first. */
export function blockRateOf({ blocked, solved }: Outcome): number | null {
  return solved === 0 ? null : blocked / solved;
}

/** So many tokens without a redemption are no chance; fewer may be those of people who left a form. */
const MANY_TOKENS = 20;

/** Whether it takes a look at the days before to tell if the customer's server calls: a few tokens, and none was redeemed. */
export function isVerifyingUnsure({ tokens, verified }: Outcome): boolean {
  return verified === 0 && tokens > 0 && tokens < MANY_TOKENS;
}

/**
 * Tokens were issued and none was redeemed, by chance or not: the customer's server does not call. `wasRedeemed` says whether it did in
 * the days before, where that is of account.
 */
export function isNeverVerified(outcome: Outcome, wasRedeemed: boolean): boolean {
  return outcome.tokens > 0 && outcome.verified === 0 && !(isVerifyingUnsure(outcome) && wasRedeemed);
}
