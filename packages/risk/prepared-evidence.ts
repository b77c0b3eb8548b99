import type { RiskEvidence } from "./evidence.ts";
import { type MouseTrail, mouseTrail } from "./mouse.ts";

/** Evidence, with what a dozen flags look for in it, computed once. */
export type PreparedEvidence = RiskEvidence & {
  /** What the visitor's mouse did; undefined if rules about mice don't apply (`mouseTrail`). */
  readonly mouse: MouseTrail | undefined;
};

/** Computes from the evidence what several flags need; leaves the evidence as it was. */
export const prepareEvidence = (evidence: RiskEvidence): PreparedEvidence => ({
  ...evidence,
  mouse: mouseTrail(evidence),
});
