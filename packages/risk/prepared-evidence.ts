import type { RiskEvidence } from "./evidence.ts";
import { type MouseTrail, mouseTrail } from "./mouse.ts";

/** Evidence, with values that a dozen flags need, computed once. */
export type PreparedEvidence = RiskEvidence & {
  /**
   * The actions of the visitor's mouse; undefined if rules about mice don't apply (`mouseTrail`).
   */
  readonly mouse: MouseTrail | undefined;
};

/** Computes from the evidence the values that several flags need; does not change the evidence. */
export const prepareEvidence = (evidence: RiskEvidence): PreparedEvidence => ({
  ...evidence,
  mouse: mouseTrail(evidence),
});
