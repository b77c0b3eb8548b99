import type { RiskEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { COMMON_NETWORKS, SHAPE_REACH } from "../trajectory/path-shape.ts";

/**
 * A distance that no two paths of SapiMouse's people have: of 8,664 the nearest two are 0.0082
 * apart. Three in four of their warped replays are closer than this.
 */
export const CLOSE = 0.007;

/**
 * Share of the weight for a path that is only within reach: 0.31 alone, as that happens by chance
 * about once in 1,000.
 */
const NEAR_GRADE = 0.72;

/**
 * How certain it is that somebody else drew the paths before: 0 not at all, NEAR_GRADE for a near
 * path or for several that are about the same, 1 for a close one.
 */
function trajectoryReplayedGrade({ history }: RiskEvidence): number {
  const distance = history?.nearestPathDistance ?? Number.POSITIVE_INFINITY;
  if (distance <= CLOSE) return 1;
  const isCommon = (history?.networksNearPaths ?? 0) >= COMMON_NETWORKS;
  return distance <= SHAPE_REACH || isCommon ? NEAR_GRADE : 0;
}

/**
 * Another network drew the same path on this site within a day, perhaps moved, turned, scaled or
 * slowed: a recording is replayed. Or three other networks drew about the same path, as those of
 * one generator are (decision 0034, replays). Straight and quick movements are not compared, since
 * practised hands draw them alike.
 */
export const trajectoryReplayed = {
  name: "trajectory_replayed",
  group: "trajectory",
  label: "Other networks sent the same pointer path before.",
  weight: 3,
  grade: trajectoryReplayedGrade,
} satisfies FlagRow;
