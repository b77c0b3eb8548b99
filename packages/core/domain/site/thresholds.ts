import type { Recommendation } from "@stile/protocol/site-settings";

/** The lowest scores with the recommendations `challenge` and `block` (D6, scores). */
export type Thresholds = { readonly challenge: number; readonly block: number };

/**
 * The recommendation for a published score. A threshold belongs to the range above it (spec 4.2;
 * D6, scores).
 */
export function recommend(score: number, thresholds: Thresholds): Recommendation {
  if (score >= thresholds.block) return "block";
  return score >= thresholds.challenge ? "challenge" : "allow";
}
