import type { RiskEvidence } from "./evidence.ts";
import { type MouseTrail, mouseTrail } from "./mouse.ts";

/** Evidence, and what a dozen flags look for in it, found once. */
export type PreparedEvidence = RiskEvidence & {
  /** What the visitor's mouse did; undefined where its rules don't hold (`mouseTrail`). */
  readonly mouse: MouseTrail | undefined;
};

/** Finds in the evidence what several flags ask for; leaves it as it was. */
export const prepareEvidence = (evidence: RiskEvidence): PreparedEvidence => ({
  ...evidence,
  mouse: mouseTrail(evidence),
});
