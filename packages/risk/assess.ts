import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { RiskEvidence } from "./evidence.ts";
import { graderOf } from "./flag-row.ts";
import { FLAG_ROWS } from "./flag-rows.ts";
import { prepareEvidence } from "./prepared-evidence.ts";
import { type Contribution, toScore } from "./score.ts";
import { FLAG_WEIGHTS, type FlagWeights } from "./weights.ts";

/** A score with its reasons. */
export type Assessment = {
  /**
   * 0 safe .. 1 bot, two decimals: the published number, from which the recommendation is computed
   * (D6, scores).
   */
  readonly score: number;
  /** The flags that are present and count, in the order of the vocabulary (spec 2.2). */
  readonly flags: readonly RiskFlag[];
  /**
   * Each flag's part in log-odds, before its group's cap; in the same order. Shadow flags are
   * included, with 0.
   */
  readonly contributions: readonly Contribution[];
};

/**
 * The rows in one uniform shape: their fields differ, and looking them up would take longer than
 * most detectors do.
 */
const QUESTIONS = FLAG_ROWS.map((row) => ({
  flag: row.name,
  grade: graderOf(row),
  isShadowFor: row.isShadowFor,
}));

/**
 * Turns evidence into a score and its reasons (spec 2.2; D6, scores; D7, score request). Pure and
 * total: the same evidence gives the same answer. `weights` are the operator's, if they fitted some
 * to their own visitors.
 */
export function assess(evidence: RiskEvidence, weights: FlagWeights = FLAG_WEIGHTS): Assessment {
  const contributions: Contribution[] = [];
  const prepared = prepareEvidence(evidence);
  for (const { flag, grade, isShadowFor } of QUESTIONS) {
    const share = grade(prepared);
    if (share <= 0) continue;
    const isShadow = isShadowFor?.(prepared) === true;
    const weight = isShadow ? 0 : share * weights[flag];
    if (isShadow || weight > 0) contributions.push({ flag, weight });
  }
  const flags = contributions.filter(({ weight }) => weight > 0).map(({ flag }) => flag);
  return { score: toScore(contributions, evidence.tokenScore), flags, contributions };
}

/**
 * The assessment of visitors who are not scored: the score that everybody starts with, and no
 * flags.
 */
export const NOT_SCORED: Assessment = { score: toScore([]), flags: [], contributions: [] };

/** The score without those flags; for an assessment that does not build on a token. */
export function scoreWithout(
  flags: readonly RiskFlag[],
  { contributions }: Pick<Assessment, "contributions">,
): number {
  return toScore(contributions.filter(({ flag }) => !flags.includes(flag)));
}

/**
 * The assessment with those flags as shadow flags; for an assessment that does not build on a
 * token.
 */
export function withShadows(shadows: readonly RiskFlag[], assessment: Assessment): Assessment {
  return {
    score: scoreWithout(shadows, assessment),
    flags: assessment.flags.filter((flag) => !shadows.includes(flag)),
    contributions: assessment.contributions.map((it) =>
      shadows.includes(it.flag) ? { ...it, weight: 0 } : it,
    ),
  };
}
