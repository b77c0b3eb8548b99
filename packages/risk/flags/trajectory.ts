import { type Detector, knownBehaviour, type RiskEvidence } from "../evidence.ts";
import { CURVE_REACH } from "../trajectory/curve.ts";
import { createGrading } from "../trajectory/grading.ts";
import { judgeVisit } from "../trajectory/judge-visit.ts";
import { SHIPPED_MODEL } from "../trajectory/shipped-model.ts";

const grade = createGrading(SHIPPED_MODEL);

/** How much the paths to the presses look like a program's: 0 like most people's .. 1 like one in a thousand of people's visits. */
export function trajectoryBotGrade(evidence: RiskEvidence): number {
  const behaviour = knownBehaviour(evidence);
  const judged = behaviour === undefined ? undefined : judgeVisit(behaviour);
  return judged === undefined ? 0 : grade(judged.logOdds, judged.paths);
}

/**
 * The pointer moved to its presses as programs move it (docs/reference/risk-model.md). One in twenty of people's visits
 * raises it with hardly any weight, one in two hundred with 0.30; it never blocks alone. Fingers, keys, and assistive
 * technology draw no path and cannot raise it.
 */
export const trajectoryBot: Detector = (evidence) => trajectoryBotGrade(evidence) > 0;

/**
 * A distance that no two of the recorded people's paths have: of 8,664 the nearest two are 0.0082 apart. Of warped replays of
 * them three in four are closer than this.
 */
export const CLOSE = 0.007;

/** Share of the weight of a path that is only within reach: 0.31 alone, since chance brings it about once in a thousand. */
const NEAR_GRADE = 0.6;

/** How surely the paths were drawn before by somebody else: 0 not at all, NEAR_GRADE by a near path, 1 by a close one. */
export function trajectoryReplayedGrade({ history }: RiskEvidence): number {
  const distance = history?.nearestCurve ?? Number.POSITIVE_INFINITY;
  if (distance <= CLOSE) return 1;
  return distance <= CURVE_REACH ? NEAR_GRADE : 0;
}

/**
 * Another network drew the same path on this site within a day, perhaps moved, turned, scaled or slowed: a recording is
 * played. A visitor's own paths come again when he submits twice from one page; the curve history leaves them out.
 */
export const trajectoryReplayed: Detector = (evidence) => trajectoryReplayedGrade(evidence) > 0;
