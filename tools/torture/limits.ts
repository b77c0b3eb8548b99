import { leaseBlock } from "@stile/stores/postgres/engine/limit-leases";
import type { Cluster } from "@stile/testkit/torture/cluster";
import { raceForLimit } from "@stile/testkit/torture/race-for-limit";
import type { Figure } from "@stile/testkit/trials/trial";
import { atLeast, atMost, NONE } from "./bounds.ts";

/** Ten a second are admitted if the minute before was full. */
const PER_MINUTE = 600;
/** The smallest limit of which nodes lease blocks; requests exceed it by a quarter: a minute has no time for more. */
const LEASED = { perMinute: 10_000, pressure: 1.25 } as const;

/**
 * The least share of a limit to be admitted: what servers lose as they die, leased or redeemed unheard, is less than
 * the rest.
 */
const KILLED_SHARE = 0.9;

/** Asks for more than a site's limit at all servers at once, and goes on across the turn of the minute (D10). */
export async function limits(cluster: Cluster, areLimitsLeased: boolean): Promise<Figure[]> {
  const asking = areLimitsLeased ? LEASED : { perMinute: PER_MINUTE };
  const { perMinute } = asking;
  const { asked, admitted, over, beyond } = await raceForLimit(cluster, { ...asking, crossesEdge: true });
  const { admitted: admittedBeyond, least } = beyond ?? { admitted: 0, least: 0 };
  // What each server has leased and not used is not available to others.
  const held = areLimitsLeased ? cluster.target.servers.length * leaseBlock(perMinute) : 0;
  const unit = `of ${asked}`;
  return [
    { name: "admitted in one minute, not more", value: admitted, unit, bound: atMost(perMinute) },
    { name: "admitted in one minute, not less", value: admitted, unit, bound: atLeast(perMinute - held) },
    { name: "admitted without room in the window, the minute's edge included", value: over, unit: "", bound: NONE },
    {
      name: "admitted in the seconds beyond the edge",
      value: admittedBeyond,
      unit: "",
      bound: atLeast(Math.max(0, least - held)),
    },
    ...(areLimitsLeased ? await limitsUnderKills(cluster) : []),
  ];
}

/** The same while all servers are killed, so that what they leased is counted but lapses. */
async function limitsUnderKills(cluster: Cluster): Promise<Figure[]> {
  const kills = cluster.target.faults.filter(({ isKill, name }) => isKill && name.startsWith("server"));
  const during = async (): Promise<void> => {
    for (const kill of kills) await kill.run(() => 0);
  };
  const { asked, admitted, over } = await raceForLimit(cluster, { ...LEASED, crossesEdge: false, during });
  return [
    {
      name: "kills of servers meanwhile",
      value: kills.length,
      unit: "",
      bound: atLeast(cluster.target.servers.length),
    },
    {
      name: "all servers killed: admitted",
      value: admitted,
      unit: `of ${asked}`,
      bound: atLeast(LEASED.perMinute * KILLED_SHARE),
    },
    { name: "all servers killed: admitted without room in the window", value: over, unit: "", bound: NONE },
  ];
}
