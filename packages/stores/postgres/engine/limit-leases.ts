import { minuteOf } from "@stile/core/domain/rate-window";
import type { Redemption } from "@stile/core/ports/token/token-ledger";

/** How many redemptions a node leases at once of a site with this limit a minute; 0: none, each is counted as it comes. */
export type LeaseBlock = (perMinute: number) => number;

/** Sites with a smaller limit are never so hot that a lease would spare anything. */
const LEAST_PER_MINUTE = 10_000;
/** A hundredth: all nodes together write a site's minute some hundred times for leases, however many redemptions there are. */
const BLOCKS = 100;

/** The blocks of `STILE_LIMIT_LEASES` (decision 0040). */
export const leaseBlock: LeaseBlock = (perMinute) =>
  perMinute < LEAST_PER_MINUTE ? 0 : Math.floor(perMinute / BLOCKS);

/** Redemptions of a site's minute that the database has counted for this node, and the node has not used. */
type Lease = { readonly minute: number; readonly unused: number };
type SiteLease = Lease & { readonly site: string };

/** What a batch asks of the limits of sites, as `spend_leased_1` takes it; no site is in `leased` and in `wanted`. */
export type LeasePlan = {
  /** Leases that all redemptions of their site in the batch fit into. */
  readonly leased: readonly SiteLease[];
  /** What is left of leases that they do not fit into. */
  readonly returned: readonly SiteLease[];
  /** Sites that are judged exactly, and what is to be leased of them afterwards. */
  readonly wanted: readonly Wanted[];
};

/** How many redemptions are asked of a site between two moments, under which limit, and how many more are to be leased. */
type Wanted = {
  readonly site: string;
  readonly revision: number;
  readonly asked: number;
  readonly first: number;
  readonly now: number;
  readonly most: number;
  readonly block: number;
};

/** The leases of a node. They travel with a batch: while nobody knows what became of it, they are not used again. */
export type LimitLeases = {
  /** Takes the leases of the batch's sites out; undefined if none of its sites can be leased. */
  readonly take: (redemptions: readonly Redemption[]) => LeasePlan | undefined;
  /** Puts back what is left, and what was granted. Not called for a batch that failed: its leases lapse, counted and unused. */
  readonly put: (plan: LeasePlan, granted: readonly string[], spentOf: ReadonlyMap<string, number>) => void;
};

function isWithin(lease: Lease, redemptions: readonly Redemption[]): boolean {
  return redemptions.length <= lease.unused && redemptions.every(({ nowMs }) => minuteOf(nowMs) === lease.minute);
}

function toWanted(site: string, redemptions: readonly Redemption[], last: Redemption, block: number): Wanted {
  return {
    site,
    revision: last.siteRevision,
    asked: redemptions.length,
    first: redemptions.reduce((first, { nowMs }) => Math.min(first, nowMs), last.nowMs),
    now: last.nowMs,
    most: last.perMinute,
    block,
  };
}

/** Leases of nothing yet. */
export function createLimitLeases(blockOf: LeaseBlock): LimitLeases {
  const leases = new Map<string, Lease>();

  const take: LimitLeases["take"] = (redemptions) => {
    const leased: SiteLease[] = [];
    const returned: SiteLease[] = [];
    const wanted: Wanted[] = [];
    for (const [site, group] of Map.groupBy(redemptions, ({ siteKey }) => siteKey)) {
      const last = group.reduce((latest, one) => (one.nowMs > latest.nowMs ? one : latest));
      const block = blockOf(last.perMinute);
      const lease = leases.get(site);
      // What comes late, into a minute before the lease's, is judged exactly and leaves the lease where it is.
      if (block === 0 || (lease !== undefined && lease.minute > minuteOf(last.nowMs))) continue;
      leases.delete(site);
      if (lease !== undefined && isWithin(lease, group)) {
        leased.push({ site, ...lease });
        continue;
      }
      // Only of the minutes that the batch locks; what is left of an older one weighs on no redemption any more.
      if (lease !== undefined && lease.minute >= minuteOf(last.nowMs) - 1) returned.push({ site, ...lease });
      wanted.push(toWanted(site, group, last, block));
    }
    return leased.length + wanted.length > 0 ? { leased, returned, wanted } : undefined;
  };

  const put: LimitLeases["put"] = ({ leased, wanted }, granted, spentOf) => {
    for (const { site, minute, unused } of leased)
      leases.set(site, { minute, unused: unused - (spentOf.get(site) ?? 0) });
    for (const { site, now, block } of wanted) {
      if (granted.includes(site)) leases.set(site, { minute: minuteOf(now), unused: block });
    }
  };

  return { take, put };
}
