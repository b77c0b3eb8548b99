import type { Cluster } from "@stile/testkit/torture/cluster";
import { raceForLimit } from "@stile/testkit/torture/race-for-limit";
import type { Figure } from "@stile/testkit/trials/trial";
import { atLeast, atMost, NONE } from "./bounds.ts";

/** Ten a second are admitted if the minute before was full. */
const PER_MINUTE = 600;

/**
 * Requests more than a site's limit at all servers at once, and continues across the turn of the
 * minute (D10, limits).
 */
export async function limits(cluster: Cluster): Promise<Figure[]> {
  const { asked, admitted, over, beyond } = await raceForLimit(cluster, {
    perMinute: PER_MINUTE,
    crossesEdge: true,
  });
  const { admitted: admittedBeyond, least } = beyond ?? { admitted: 0, least: 0 };
  const unit = `of ${asked}`;
  return [
    { name: "admitted in one minute, not more", value: admitted, unit, bound: atMost(PER_MINUTE) },
    { name: "admitted in one minute, not less", value: admitted, unit, bound: atLeast(PER_MINUTE) },
    {
      name: "admitted without room in the window, the minute's edge included",
      value: over,
      unit: "",
      bound: NONE,
    },
    {
      name: "admitted in the seconds beyond the edge",
      value: admittedBeyond,
      unit: "",
      bound: atLeast(least),
    },
  ];
}
