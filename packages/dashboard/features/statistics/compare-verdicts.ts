import type { ScoresData } from "@stile/protocol/dashboard-statistics";
import { countOf, formatNumber, formatPercent, formatScore } from "../../ui/format.ts";

/** What Stile and the old CAPTCHA would say about the same visits. */
export type Agreement = {
  readonly bothPass: number;
  readonly bothRefuse: number;
  readonly onlyStileRefuses: number;
  readonly onlyOldRefuses: number;
};

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Compares both, if Stile refuses from this score on: a score equal to it is refused (D6, scores).
 */
export function compareVerdicts(
  { pass, fail }: ScoresData["byVendorVerdict"],
  refusedFrom: number,
): Agreement {
  const first = Math.round(refusedFrom * 100);
  return {
    bothPass: sumOf(pass.slice(0, first)),
    bothRefuse: sumOf(fail.slice(first)),
    onlyStileRefuses: sumOf(pass.slice(first)),
    onlyOldRefuses: sumOf(fail.slice(0, first)),
  };
}

/** How many visits were compared. */
export function countCompared(agreement: Agreement): number {
  return sumOf(Object.values(agreement));
}

/** The comparison in a sentence. */
export function describeAgreement(agreement: Agreement, refusedFrom: number): string {
  const all = countCompared(agreement);
  const agreed = agreement.bothPass + agreement.bothRefuse;
  return `If Stile refuses from ${formatScore(refusedFrom)}, both agree about ${formatNumber(agreed)} of ${countOf(all, "visit")} (${formatPercent(agreed / all)}).`;
}

/** Which of the site's thresholds a score is, and what that means in its mode. */
export function describeThreshold({ thresholds, mayAsk }: ScoresData, score: number): string {
  const from = formatScore(score);
  if (score === thresholds.block) return `${from} is this site's "Block from score".`;
  if (score !== thresholds.challenge) return "To use another score, set it as a threshold above.";
  const named = `${from} is this site's "Challenge from score".`;
  return mayAsk
    ? named
    : `${named} In this site's mode nobody is asked for a click, so a server that lets in only "allow" refuses from here on.`;
}
