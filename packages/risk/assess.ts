import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { DETECTORS, GRADES } from "./detectors.ts";
import type { RiskEvidence } from "./evidence.ts";
import { type Contribution, toScore } from "./score.ts";
import { FLAG_WEIGHTS, type FlagWeights, SHADOW_FLAGS } from "./weights.ts";

export type { HistoryEvidence, RiskEvidence, SolveEvidence, VelocityEvidence } from "./evidence.ts";

/** A judgement that explains itself. */
export type Assessment = {
  /** 0 safe .. 1 bot, two decimals: the published number, from which the recommendation is computed (D6). */
  readonly score: number;
  /** The flags that are present and count, in the order of the vocabulary (spec 2.2). */
  readonly flags: readonly RiskFlag[];
  /** What each flag added in log-odds, before the cap of its group; same order. Flags on trial stand among them with 0. */
  readonly contributions: readonly Contribution[];
};

const ALL_FLAGS = Object.keys(RISK_FLAGS) as RiskFlag[];

/** How strongly a flag is present, 0 not at all .. 1 wholly; what there is to compute is computed once. */
function gradeOf(flag: RiskFlag, evidence: RiskEvidence): number {
  const grade = GRADES[flag];
  if (grade !== undefined) return grade(evidence);
  return DETECTORS[flag](evidence) ? 1 : 0;
}

/**
 * Evidence to a score and its reasons (spec 2.2, D6, D7). Pure and total: the same evidence, the same answer. `weights` are
 * the operator's, where he fitted some to his own visitors.
 */
export function assess(evidence: RiskEvidence, weights: FlagWeights = FLAG_WEIGHTS): Assessment {
  const contributions = ALL_FLAGS.flatMap((flag) => {
    const grade = gradeOf(flag, evidence);
    if (SHADOW_FLAGS.includes(flag)) return grade > 0 ? { flag, weight: 0 } : [];
    const weight = grade * weights[flag];
    return weight > 0 ? { flag, weight } : [];
  });
  const flags = contributions.filter(({ weight }) => weight > 0).map(({ flag }) => flag);
  return { score: toScore(contributions, evidence.tokenScore), flags, contributions };
}
