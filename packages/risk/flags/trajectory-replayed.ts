import type { RiskEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { COMMON_NETWORKS, SHAPE_REACH } from "../trajectory/path-shape.ts";

/**
 * A distance that no two of the recorded people's paths have: of 8,664 the nearest two are 0.0082 apart. Of warped replays of
 * them three in four are closer than this.
 */
export const CLOSE = 0.007;

/** Share of the weight of a path that is only within reach: 0.31 alone, since chance brings it about once in a thousand. */
const NEAR_GRADE = 0.6;

/**
 * How surely the paths were drawn before by somebody else: 0 not at all, NEAR_GRADE by a near path or by several that are about the
 * same, 1 by a close one.
 */
function trajectoryReplayedGrade({ history }: RiskEvidence): number {
  const distance = history?.nearestPathDistance ?? Number.POSITIVE_INFINITY;
  if (distance <= CLOSE) return 1;
  const isCommon = (history?.networksNearPaths ?? 0) >= COMMON_NETWORKS;
  return distance <= SHAPE_REACH || isCommon ? NEAR_GRADE : 0;
}

/**
 * Another network drew the same path on this site within a day, perhaps moved, turned, scaled or slowed: a recording is
 * played. Or three other networks drew about the same, straight ways included, as the paths of one generator come to do (decision
 * 0049). A visitor's own paths come again when they submit twice from one page; the memory of paths leaves them out.
 */
export const trajectoryReplayed = {
  name: "trajectory_replayed",
  group: "input",
  label: "Other networks drew the same pointer path before.",
  weight: 3.6,
  grade: trajectoryReplayedGrade,
} satisfies FlagRow;
