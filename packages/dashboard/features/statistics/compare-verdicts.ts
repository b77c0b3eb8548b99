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

/** Compares both, if Stile refuses from this score on: a score equal to it is refused (D6). */
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
  const [challenge, block] = [formatScore(thresholds.challenge), formatScore(thresholds.block)];
  if (score === thresholds.block)
    return mayAsk
      ? `${block} is this site's "Block from score".`
      : `${block} is this site's "Block from score". In the modes Managed and Interactive, visits from ${challenge} on are asked for a click, and visits from ${block} on are refused.`;
  if (score === thresholds.challenge)
    return `${challenge} is this site's "Challenge from score". In the modes Non-interactive and Invisible, nobody can be asked for a click, so a server that lets in only "allow" refuses from here on.`;
  return "To use another score, set it as a threshold above.";
}
