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

type Judge = {
  readonly flag: RiskFlag;
  readonly isOnTrial: boolean;
  /** How strongly the flag is present, 0 not at all .. 1 wholly. */
  readonly grade: (evidence: RiskEvidence) => number;
};

/** One for each flag of the vocabulary, in its order. */
const JUDGES = (Object.keys(RISK_FLAGS) as RiskFlag[]).map((flag): Judge => {
  const detect = DETECTORS[flag];
  const grade = GRADES[flag] ?? ((evidence: RiskEvidence) => (detect(evidence) ? 1 : 0));
  return { flag, isOnTrial: SHADOW_FLAGS.includes(flag), grade };
});

/**
 * Evidence to a score and its reasons (spec 2.2, D6, D7). Pure and total: the same evidence, the same answer. `weights` are
 * the operator's, where he fitted some to his own visitors.
 */
export function assess(evidence: RiskEvidence, weights: FlagWeights = FLAG_WEIGHTS): Assessment {
  const contributions: Contribution[] = [];
  for (const { flag, isOnTrial, grade } of JUDGES) {
    const share = grade(evidence);
    if (share <= 0) continue;
    const weight = isOnTrial ? 0 : share * weights[flag];
    if (isOnTrial || weight > 0) contributions.push({ flag, weight });
  }
  const flags = contributions.filter(({ weight }) => weight > 0).map(({ flag }) => flag);
  return { score: toScore(contributions, evidence.tokenScore), flags, contributions };
}
