import type { ReasonCode } from "@stile/protocol/reason-codes";

/**
 * Names of what is counted per site and minute. `score:NN` counts issued tokens by score in hundredths, `refused:...`
 * redemptions by reason (spec 7.3).
 */
export type Metric =
  | "challenge_issued"
  | "challenge_solved"
  | "challenge_failed"
  | "challenge_stepped_up"
  | "challenge_blocked"
  | "token_issued"
  | "token_redeemed"
  | "score_requested"
  | `score:${string}`
  | `refused:${ReasonCode}`;

/** One thing that happened once, to be counted for a site. */
export type SiteCount = { readonly siteKey: string; readonly metric: Metric; readonly atMs: number };

/** Counts of a site in one minute. */
export type MinuteCount = { readonly minuteStartMs: number; readonly metric: Metric; readonly count: number };

/** The metric of a published score (D6): two digits and `1.00` as 100. */
export function scoreMetric(score: number): Metric {
  return `score:${String(Math.round(score * 100)).padStart(2, "0")}`;
}
