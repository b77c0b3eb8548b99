import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { DETECTORS } from "./detectors.ts";
import type { RiskEvidence } from "./evidence.ts";
import { type Contribution, toScore } from "./score.ts";
import { FLAG_WEIGHTS } from "./weights.ts";

export type { HistoryEvidence, RiskEvidence, SolveEvidence, VelocityEvidence } from "./evidence.ts";

/** A judgement that explains itself. */
export type Assessment = {
  /** 0 safe .. 1 bot, two decimals: the published number, from which the recommendation is computed (D6). */
  readonly score: number;
  /** The flags that are present, in the order of the vocabulary (spec 2.2). */
  readonly flags: readonly RiskFlag[];
  /** What each flag added in log-odds, before the cap of its group; same order. */
  readonly contributions: readonly Contribution[];
};

const ALL_FLAGS = Object.keys(RISK_FLAGS) as RiskFlag[];

/** Evidence to a score and its reasons (spec 2.2, D6, D7). Pure and total: the same evidence, the same answer. */
export function assess(evidence: RiskEvidence): Assessment {
  const flags = ALL_FLAGS.filter((flag) => DETECTORS[flag](evidence));
  const contributions = flags.map((flag) => ({ flag, weight: FLAG_WEIGHTS[flag] }));
  return { score: toScore(contributions, evidence.tokenScore), flags, contributions };
}
