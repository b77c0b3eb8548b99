import type { RiskEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { heldBehaviour } from "../mouse.ts";
import { createGrading } from "../trajectory/grading.ts";
import { scoreVisit } from "../trajectory/score-visit.ts";
import { SHIPPED_MODEL } from "../trajectory/shipped-model.ts";

const grade = createGrading(SHIPPED_MODEL);

/**
 * How much the paths to the presses look like a program's: from 0 (like most people's) to 1 (like
 * one in 1,000 visits).
 */
function trajectoryBotGrade(evidence: RiskEvidence): number {
  const behaviour = heldBehaviour(evidence);
  const scored = behaviour && scoreVisit(behaviour);
  return scored === undefined ? 0 : grade(scored.logOdds, scored.paths);
}

/**
 * The pointer moved to its presses as programs move it (docs/reference/risk-model.md). One in
 * twenty of people's visits raises it with hardly any weight, at most one in 250 with 0.30; it
 * never blocks alone. Fingers on touch devices, keys and assistive technology draw no path. Short
 * moves, drawings, and moves that are rare or have many gaps, as over slow links, are not scored.
 */
export const trajectoryBot = {
  name: "trajectory_bot",
  group: "trajectory",
  label: "The pointer moved in a way that programs do.",
  weight: 3,
  grade: trajectoryBotGrade,
} satisfies FlagRow;
