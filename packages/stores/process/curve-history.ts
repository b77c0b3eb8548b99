import { CURVE_BYTES, nearestDistance } from "@stile/core/domain/visitor/nearest-path";
import type { CurveHistory, CurveOrigin } from "@stile/core/ports/visitor/curve-history";
import { fullestOf, NETWORK_SHARES, shareOfNetwork } from "./network-shares.ts";

/** How long a curve is remembered, ms. */
const LIFE_MS = 24 * 3_600_000;
/** How long after a change of keys a curve may be the visitor's own without our knowing: pages stay open, ms. */
const PAGE_MS = 3_600_000;
const FIRST_CAPACITY = 64;

/** Curves of one site, in any order; once all places are taken, some are overwritten. */
type SiteCurves = {
  flat: Int8Array;
  networks: Float64Array;
  eras: Float64Array;
  notedMs: Float64Array;
  /** Of each curve, the share of its network, and how many were noted before it. */
  shares: Uint16Array;
  orders: Uint32Array;
  /** Curves held. */
  count: number;
  /** Curves noted so far. */
  noted: number;
};

function allocate(capacity: number): SiteCurves {
  return {
    flat: new Int8Array(capacity * CURVE_BYTES),
    networks: new Float64Array(capacity),
    eras: new Float64Array(capacity),
    notedMs: new Float64Array(capacity),
    shares: new Uint16Array(capacity),
    orders: new Uint32Array(capacity),
    count: 0,
    noted: 0,
  };
}

function enlarge(site: SiteCurves, capacity: number): SiteCurves {
  const larger = allocate(capacity);
  larger.flat.set(site.flat);
  larger.networks.set(site.networks);
  larger.eras.set(site.eras);
  larger.notedMs.set(site.notedMs);
  larger.shares.set(site.shares);
  larger.orders.set(site.orders);
  return { ...larger, count: site.count, noted: site.noted };
}

function isOfAnother(site: SiteCurves, index: number, { networks, era, nowMs }: CurveOrigin): boolean {
  const ageMs = nowMs - (site.notedMs[index] ?? 0);
  if (ageMs >= LIFE_MS) return false;
  if (site.eras[index] !== era) return ageMs >= PAGE_MS;
  return !networks.includes(site.networks[index] ?? Number.NaN);
}

/** Of a full site: the place of a curve that counts no more, else of the oldest one in the fullest shares. */
function placeToReuse({ notedMs, shares, orders }: SiteCurves, nowMs: number): number {
  const sizes = new Uint16Array(NETWORK_SHARES);
  for (let at = 0; at < notedMs.length; at++) {
    if (nowMs - (notedMs[at] ?? 0) >= LIFE_MS) return at;
    const share = shares[at] ?? 0;
    sizes[share] = (sizes[share] ?? 0) + 1;
  }
  const fullest = fullestOf(sizes);
  let place = -1;
  for (let at = 0; at < orders.length; at++) {
    if (sizes[shares[at] ?? 0] !== fullest) continue;
    if (place < 0 || (orders[at] ?? 0) < (orders[place] ?? 0)) place = at;
  }
  return place;
}

function put(site: SiteCurves, curve: Int8Array, { networks, era, nowMs }: CurveOrigin): void {
  const at = site.count < site.notedMs.length ? site.count++ : placeToReuse(site, nowMs);
  const network = networks.at(-1) ?? Number.NaN;
  site.flat.set(curve, at * CURVE_BYTES);
  site.networks[at] = network;
  site.eras[at] = era;
  site.notedMs[at] = nowMs;
  site.shares[at] = shareOfNetwork(network);
  site.orders[at] = site.noted++;
}

/**
 * What this process remembers of paths: at most `perSite` curves of a site and `inAll` of all sites, 78 bytes each; the site
 * unnoted for longest makes room, and within a full site the networks that hold most of it. Each node knows only what was submitted to it, so a recording played once to each of
 * several nodes is noticed from the second time on one of them. To share it, nodes would have to send each other what
 * `note` is given (75 bytes a path), some milliseconds later being soon enough; nothing waits for it.
 */
export function createCurveHistory(bounds: { readonly perSite: number; readonly inAll: number }): CurveHistory {
  const sites = new Map<string, SiteCurves>();
  let held = 0;

  const makeRoom = (siteKey: string, more: number): void => {
    for (const [oldest, { notedMs }] of sites) {
      if (held + more <= bounds.inAll) return;
      if (oldest === siteKey) continue;
      sites.delete(oldest);
      held -= notedMs.length;
    }
  };

  const openSite = (siteKey: string): SiteCurves => {
    const known = sites.get(siteKey);
    const capacity = known?.notedMs.length ?? 0;
    const isFull = known === undefined || known.count === capacity;
    const wanted = isFull ? Math.min(bounds.perSite, Math.max(FIRST_CAPACITY, 2 * capacity)) : capacity;
    makeRoom(siteKey, wanted - capacity);
    const site = known === undefined ? allocate(wanted) : wanted > capacity ? enlarge(known, wanted) : known;
    held += wanted - capacity;
    // The map's order is that of the last note.
    sites.delete(siteKey);
    sites.set(siteKey, site);
    return site;
  };

  return {
    nearest: (siteKey, curves, origin) => {
      const site = sites.get(siteKey);
      if (site === undefined) return undefined;
      const distances = curves.flatMap(
        (curve) => nearestDistance(curve, site.flat, site.count, (index) => isOfAnother(site, index, origin)) ?? [],
      );
      return distances.length === 0 ? undefined : Math.min(...distances);
    },
    note: (siteKey, curves, origin) => {
      for (const curve of curves) put(openSite(siteKey), curve, origin);
    },
  };
}
