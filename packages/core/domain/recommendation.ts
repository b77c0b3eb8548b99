import type { Recommendation } from "@stile/protocol/site-settings";
import type { Thresholds } from "./site.ts";

/** A score as it is published: between 0 and 1, two decimals (D6). */
export function publishedScore(score: number): number {
  return Math.round(Math.min(1, Math.max(0, score)) * 100) / 100;
}

/** What to do at a published score: a threshold belongs to the range above it (spec 4.2, D6). */
export function recommend(score: number, thresholds: Thresholds): Recommendation {
  if (score >= thresholds.block) return "block";
  return score >= thresholds.challenge ? "challenge" : "allow";
}
