import type { ScoresData } from "@stile/protocol/dashboard-statistics";
import { countOf, formatNumber, formatPercent, formatScore } from "../../ui/format.ts";

/** The scores from which on visitors are challenged, and blocked. */
export type ScoreThresholds = ScoresData["thresholds"];

/** The effect of other thresholds; negative numbers mean fewer. */
export type WhatIf = {
  readonly blockedMore: number;
  readonly challengedMore: number;
  /**
   * Among the visitors whose blocking changes: how many had a token that the customer's server
   * redeemed.
   */
  readonly verifiedAmong: number;
};

/**
 * The hundredth at which a threshold begins: a score equal to it belongs to the range above (D6,
 * scores).
 */
function toHundredths(threshold: number): number {
  return Math.round(threshold * 100);
}

function sumFrom(counts: readonly number[], from: number, to = counts.length): number {
  return counts.slice(from, to).reduce((sum, count) => sum + count, 0);
}

/** How many fall into each range with these thresholds. */
export function countZones(scored: readonly number[], { challenge, block }: ScoreThresholds) {
  const [first, second] = [toHundredths(challenge), toHundredths(block)];
  return {
    allowed: sumFrom(scored, 0, first),
    challenged: sumFrom(scored, first, second),
    blocked: sumFrom(scored, second),
  };
}

/**
 * Compares the current thresholds with others over scored and redeemed visits, both by score in
 * hundredths.
 */
export function whatIf(
  scored: readonly number[],
  verified: readonly number[],
  inForce: ScoreThresholds,
  tried: ScoreThresholds,
): WhatIf {
  const [now, then] = [countZones(scored, inForce), countZones(scored, tried)];
  const [old, next] = [toHundredths(inForce.block), toHundredths(tried.block)];
  return {
    blockedMore: then.blocked - now.blocked,
    challengedMore: then.challenged - now.challenged,
    verifiedAmong: sumFrom(verified, Math.min(old, next), Math.max(old, next)),
  };
}

/**
 * The what-if in words; `knowsVerified` is false if redemptions are not known (for a single
 * action).
 */
export function describeWhatIf(
  result: WhatIf,
  tried: ScoreThresholds,
  knowsVerified: boolean,
): string {
  const block = formatScore(tried.block);
  const { blockedMore, challengedMore, verifiedAmong } = result;
  const verified = knowsVerified
    ? `; ${formatNumber(verifiedAmong)} of them had a token that your server verified`
    : "";
  const sentences = [
    blockedMore > 0
      ? `At ${block} you would have blocked ${countOf(blockedMore, "more visit")}${verified}.`
      : blockedMore < 0
        ? `At ${block} you would have blocked ${countOf(-blockedMore, "fewer visit")}.`
        : `At ${block} you would have blocked the same number.`,
  ];
  if (challengedMore > 0)
    sentences.push(`You would have challenged ${formatNumber(challengedMore)} more.`);
  if (challengedMore < 0)
    sentences.push(`You would have challenged ${formatNumber(-challengedMore)} fewer.`);
  return sentences.join(" ");
}

/**
 * Moves one threshold and keeps both in order: challenge is at least 0.01 and never above block.
 */
export function moveThreshold(
  thresholds: ScoreThresholds,
  which: keyof ScoreThresholds,
  value: number,
): ScoreThresholds {
  const to = Math.min(1, Math.max(0.01, Math.round(value * 100) / 100));
  return which === "block"
    ? { challenge: Math.min(thresholds.challenge, to), block: to }
    : { challenge: to, block: Math.max(thresholds.block, to) };
}

/** The histogram in a sentence. */
export function describeScores(scored: readonly number[], thresholds: ScoreThresholds): string {
  const { allowed, challenged, blocked } = countZones(scored, thresholds);
  const all = allowed + challenged + blocked;
  if (all === 0) return "No visits were scored in this period.";
  const share = (count: number) => `${formatNumber(count)} (${formatPercent(count / all)})`;
  return `${countOf(all, "visit")} scored: ${share(allowed)} allowed, ${share(challenged)} challenged, ${share(blocked)} blocked.`;
}
