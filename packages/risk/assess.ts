import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { RiskEvidence } from "./evidence.ts";
import { graderOf } from "./flag-row.ts";
import { FLAG_ROWS } from "./flag-rows.ts";
import { prepareEvidence } from "./prepared-evidence.ts";
import { type Contribution, toScore } from "./score.ts";
import { FLAG_WEIGHTS, type FlagWeights } from "./weights.ts";

export type { HistoryEvidence, RiskEvidence } from "./evidence.ts";

/** A judgement that explains itself. */
export type Assessment = {
  /** 0 safe .. 1 bot, two decimals: the published number, from which the recommendation is computed (D6). */
  readonly score: number;
  /** The flags that are present and count, in the order of the vocabulary (spec 2.2). */
  readonly flags: readonly RiskFlag[];
  /** What each flag added in log-odds, before the cap of its group; same order. Shadow flags stand among them with 0. */
  readonly contributions: readonly Contribution[];
};

/** The rows in one shape: each has fields of its own, and to look for these in all of them takes longer than most of what they ask. */
const QUESTIONS = FLAG_ROWS.map((row) => ({
  flag: row.name,
  grade: graderOf(row),
  isShadow: row.isShadow === true,
  isShadowFor: row.isShadowFor,
}));

/**
 * Evidence to a score and its reasons (spec 2.2, D6, D7). Pure and total: the same evidence, the same answer. `weights` are
 * the operator's, where they fitted some to their own visitors.
 */
export function assess(evidence: RiskEvidence, weights: FlagWeights = FLAG_WEIGHTS): Assessment {
  const contributions: Contribution[] = [];
  const prepared = prepareEvidence(evidence);
  for (const { flag, grade, isShadow, isShadowFor } of QUESTIONS) {
    const share = grade(prepared);
    if (share <= 0) continue;
    const isUnscored = isShadow || isShadowFor?.(prepared) === true;
    const weight = isUnscored ? 0 : share * weights[flag];
    if (isUnscored || weight > 0) contributions.push({ flag, weight });
  }
  const flags = contributions.filter(({ weight }) => weight > 0).map(({ flag }) => flag);
  return { score: toScore(contributions, evidence.tokenScore), flags, contributions };
}

/** The judgement of whom nobody judges: the score that everybody starts with, and nothing that speaks against them. */
export const NOT_JUDGED: Assessment = { score: toScore([]), flags: [], contributions: [] };

/** The score as it were without those flags; of a judgement that rests on no token. */
export function scoreWithout(flags: readonly RiskFlag[], { contributions }: Assessment): number {
  return toScore(contributions.filter(({ flag }) => !flags.includes(flag)));
}
