import type { BehaviourMemory, PathOrigin } from "@stile/core/ports/visitor/visit-memory";
import { shareOfNetwork } from "../eviction-shares.ts";
import { isOfAnother, LIFE_MS } from "../of-another.ts";
import { createPendingVisits } from "../pending-visits.ts";
import { createLargest, type Largest } from "./largest.ts";

/**
 * The first network that submitted a behaviour in an era, and the next other network that did, if
 * any.
 */
type First = {
  readonly digest: string;
  readonly siteKey: string;
  readonly network: number;
  readonly era: number;
  readonly atMs: number;
  next: number | undefined;
  /** The entry of another era, if any. */
  other: First | undefined;
};

/**
 * Whether a visit repeats another visitor's behaviour. If a page changes its network, the first
 * network is one of its own. But if a second network has submitted the behaviour too, a third one
 * cannot belong to that page. Otherwise an attacker could draw challenges where a recording was
 * made and submit it from everywhere.
 */
function isAnothers(first: First, visitor: PathOrigin): boolean {
  const { network, era, atMs, next } = first;
  if (isOfAnother(visitor, network, era, atMs)) return true;
  if (next === undefined || era !== visitor.era || visitor.nowMs - atMs >= LIFE_MS) return false;
  const here = visitor.networks.at(-1);
  return here !== network && here !== next;
}

/** The entry and those of other eras. The key changes daily, so there are two within a day. */
function allOf(first: First | undefined): readonly First[] {
  return first === undefined ? [] : [first, ...allOf(first.other)];
}

/** A site's entries by eviction share, in the order they were recorded, and its largest share. */
type SiteBehaviours = {
  readonly shares: Map<number, Set<First>>;
  readonly fullest: Largest<number>;
};

const createSite = (): SiteBehaviours => ({ shares: new Map(), fullest: createLargest() });

/**
 * This process's memory of behaviours: at most `maxEntries`, about 300 bytes each. A full memory
 * evicts the oldest entry of the largest share of the largest site. So a busy network or site
 * evicts only its own entries.
 */
export function createBehaviourMemory({
  maxEntries,
}: {
  readonly maxEntries: number;
}): BehaviourMemory {
  const firsts = new Map<string, First>();
  let entries = 0;
  const sites = new Map<string, SiteBehaviours>();
  const largest = createLargest<string>();

  const pending = createPendingVisits<Pick<First, "digest" | "network" | "era">>();

  const note = (first: First): void => {
    const { siteKey, network } = first;
    const site = sites.get(siteKey) ?? createSite();
    const at = shareOfNetwork(network);
    sites.set(siteKey, site);
    site.shares.set(at, (site.shares.get(at) ?? new Set()).add(first));
    site.fullest.add(at, 1);
    largest.add(siteKey, 1);
    entries++;
  };

  const strike = (first: First): void => {
    const { siteKey, network } = first;
    const site = sites.get(siteKey) ?? createSite();
    const at = shareOfNetwork(network);
    site.shares.get(at)?.delete(first);
    site.fullest.add(at, -1);
    largest.add(siteKey, -1);
    entries--;
    if (site.fullest.find() === undefined) sites.delete(siteKey);
  };

  const add = (first: First): void => {
    first.other = firsts.get(first.digest);
    firsts.set(first.digest, first);
  };

  const forget = (first: First): void => {
    const { digest } = first;
    const others = allOf(firsts.get(digest)).filter((one) => one !== first);
    firsts.delete(digest);
    for (const one of others) add(one);
    strike(first);
  };

  const makeRoom = (): void => {
    const site = sites.get(largest.find() ?? "");
    const [oldest] = site?.shares.get(site.fullest.find() ?? 0) ?? [];
    if (oldest !== undefined) forget(oldest);
  };

  return {
    isKnown: (digest, visitor) => {
      if (allOf(firsts.get(digest)).some((first) => isAnothers(first, visitor))) return true;
      for (const one of pending.all) {
        if (one.digest === digest && isOfAnother(visitor, one.network, one.era, visitor.nowMs))
          return true;
      }
      return false;
    },
    addPending: (digest, network, era) => pending.add({ digest, network, era }),
    record: (digest, network, nowMs, era, siteKey) => {
      const isOver = ({ atMs }: First): boolean => nowMs - atMs >= LIFE_MS;
      for (const one of allOf(firsts.get(digest)).filter(isOver)) forget(one);
      const known = allOf(firsts.get(digest)).find((one) => one.era === era);
      if (known !== undefined) {
        if (network !== known.network) known.next ??= network;
        return;
      }
      if (entries >= maxEntries) makeRoom();
      const first: First = {
        digest,
        siteKey,
        network,
        era,
        atMs: nowMs,
        next: undefined,
        other: undefined,
      };
      add(first);
      note(first);
    },
  };
}
