import { minuteOf } from "@stile/core/domain/rate-window";
import type { Redemption } from "@stile/core/ports/token/token-ledger";

/** How many redemptions a node leases at a time for a site with this limit per minute; 0: each is counted singly. */
export type LeaseBlock = (perMinute: number) => number;

/** Sites with a smaller limit are never busy enough for a lease to save anything. */
const LEAST_PER_MINUTE = 10_000;
/**
 * A hundredth: all nodes together write a site's minute about 100 times for leases, whatever the number of redemptions.
 */
const BLOCKS = 100;

/** The blocks of `STILE_LIMIT_LEASES` (decision 0040). */
export const leaseBlock: LeaseBlock = (perMinute) =>
  perMinute < LEAST_PER_MINUTE ? 0 : Math.floor(perMinute / BLOCKS);

/** Redemptions of a site's minute that the database has counted for this node and that the node has not used yet. */
type Lease = { readonly minute: number; readonly unused: number };
type SiteLease = Lease & { readonly site: string };

/** What a batch asks about limits, as `spend_leased_1` takes it; no site is both in `leased` and in `wanted`. */
export type LeasePlan = {
  /** Leases that are large enough for all of their site's redemptions in the batch. */
  readonly leased: readonly SiteLease[];
  /** The rest of leases that are not. */
  readonly returned: readonly SiteLease[];
  /** Sites that are judged exactly, and how much is to be leased for them afterwards. */
  readonly wanted: readonly Wanted[];
};

/** How many redemptions of a site there are between two moments, under which limit, and how many more to lease. */
type Wanted = {
  readonly site: string;
  readonly revision: number;
  readonly asked: number;
  readonly first: number;
  readonly now: number;
  readonly most: number;
  readonly block: number;
};

/** The leases of a node. They are taken out for a batch: while its outcome is unknown, nothing else uses them. */
export type LimitLeases = {
  /** Takes out the leases of the batch's sites; undefined if no limit of its sites can be leased. */
  readonly take: (redemptions: readonly Redemption[]) => LeasePlan | undefined;
  /**
   * Puts back what is left, and what was granted. Not called for a failed batch: its leases lapse, counted but unused.
   */
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

/** A node's leases, empty at first. */
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
      // Late redemptions, of a minute before the lease's, are judged exactly and leave the lease alone.
      if (block === 0 || (lease !== undefined && lease.minute > minuteOf(last.nowMs))) continue;
      leases.delete(site);
      if (lease !== undefined && isWithin(lease, group)) {
        leased.push({ site, ...lease });
        continue;
      }
      // Only minutes that the batch locks: the rest of an older lease no longer counts against any redemption.
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
