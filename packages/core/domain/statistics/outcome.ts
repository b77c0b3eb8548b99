import type { OutcomePoint } from "@stile/protocol/dashboard-statistics";
import { type Metric, splitMetric } from "./metrics.ts";

/** The results of challenges, solutions and tokens over some time. */
export type Outcome = Omit<OutcomePoint, "startMs">;

type OutcomeCounts = { -readonly [Field in keyof Outcome]: Outcome[Field] };

const FIELDS: Readonly<Partial<Record<Metric, keyof Outcome>>> = {
  challenge_issued: "issued",
  challenge_solved: "solved",
  challenge_failed: "failed",
  challenge_stepped_up: "steppedUp",
  challenge_priced: "priced",
  challenge_blocked: "blocked",
  token_issued: "tokens",
  token_redeemed: "verified",
};

/** Adds up counts by metric. Metrics that are not part of an outcome are left out. */
export function sumOutcome(
  counts: Iterable<{ readonly metric: Metric; readonly count: number }>,
): Outcome {
  const sums: OutcomeCounts = {
    issued: 0,
    solved: 0,
    failed: 0,
    steppedUp: 0,
    priced: 0,
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

/** The share of redemption attempts that were verified, 0..1; null before the first attempt. */
export function passRateOf({ verified, refused }: Outcome): number | null {
  return verified + refused === 0 ? null : verified / (verified + refused);
}

/** The share of scored solutions that were blocked, 0..1; null before the first one. */
export function blockRateOf({ blocked, solved }: Outcome): number | null {
  return solved === 0 ? null : blocked / solved;
}

/**
 * With this many tokens, no redemption at all is not chance; fewer may belong to people who left
 * the form.
 */
const MANY_TOKENS = 20;

/**
 * Whether the customer's server redeems its visitors' tokens: `no` if many tokens were issued and
 * none was redeemed, `unsure` if there were few, so that only the days before can tell.
 */
export function isVerifying({ tokens, verified }: Outcome): "yes" | "no" | "unsure" {
  if (verified > 0 || tokens === 0) return "yes";
  return tokens < MANY_TOKENS ? "unsure" : "no";
}

/**
 * Whether the customer's server redeemed tokens and has stopped: more redemptions are missing since
 * its last one than chance explains, given the share that it redeemed until then. `periods` are
 * hours or longer, the running one last. The running one can only show that the server calls again:
 * people fill in forms for a while.
 */
export function hasStoppedVerifying(
  periods: readonly Pick<Outcome, "tokens" | "verified">[],
): boolean {
  const isMissingFrom = periods.findLastIndex(({ verified }) => verified > 0) + 1;
  const sumOf = (field: "tokens" | "verified", from: number, to: number): number =>
    periods.slice(from, to).reduce((sum, period) => sum + period[field], 0);
  const share =
    sumOf("verified", 0, isMissingFrom) / Math.max(1, sumOf("tokens", 0, isMissingFrom));
  return sumOf("tokens", isMissingFrom, -1) * Math.min(1, share) >= MANY_TOKENS;
}
