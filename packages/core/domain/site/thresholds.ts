import type { Recommendation } from "@stile/protocol/site-settings";

/** Scores from which the recommendation is `challenge` and `block` (D6). */
export type Thresholds = { readonly challenge: number; readonly block: number };

/** What to do at a published score: a threshold belongs to the range above it (spec 4.2, D6). */
export function recommend(score: number, thresholds: Thresholds): Recommendation {
  if (score >= thresholds.block) return "block";
  return score >= thresholds.challenge ? "challenge" : "allow";
}
