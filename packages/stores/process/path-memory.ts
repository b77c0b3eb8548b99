import { cellOf, cellsAround, nearestDistance, SHAPE_BYTES } from "@stile/core/domain/visitor/nearest-path";
import type { PathMemory, PathOrigin } from "@stile/core/ports/visitor/visit-memory";
import { shareOfNetwork } from "./network-shares.ts";
import { createShareQueues, type ShareQueues } from "./share-queues.ts";

/** How long a shape is remembered, ms. */
const LIFE_MS = 24 * 3_600_000;
/** How long after a change of keys a shape may be the visitor's own without our knowing: pages stay open, ms. */
const PAGE_MS = 3_600_000;
const FIRST_CAPACITY = 64;
/** Ends a chain of shapes. */
const NO_SHAPE = -1;

/** Shapes of one site, in any order; once all places are taken, some are overwritten. */
type SitePaths = {
  flat: Int8Array;
  networks: Float64Array;
  eras: Float64Array;
  recordedMs: Float64Array;
  /** Of each shape, the share of its network, and how many were recorded before it. */
  shares: Uint16Array;
  orders: Uint32Array;
  /** The shapes of each cell (`cellOf`), as a chain: the index of the first, and of each the next one's, or NO_SHAPE. */
  readonly firsts: Map<number, number>;
  nexts: Int32Array;
  /** Shapes held. */
  count: number;
  /** Shapes recorded so far. */
  recorded: number;
  /** Which shape makes room; made when room is first needed. */
  queues: ShareQueues | undefined;
};

function allocate(capacity: number): SitePaths {
  return {
    flat: new Int8Array(capacity * SHAPE_BYTES),
    networks: new Float64Array(capacity),
    eras: new Float64Array(capacity),
    recordedMs: new Float64Array(capacity),
    shares: new Uint16Array(capacity),
    orders: new Uint32Array(capacity),
    firsts: new Map(),
    nexts: new Int32Array(capacity),
    count: 0,
    recorded: 0,
    queues: undefined,
  };
}

function enlarge(site: SitePaths, capacity: number): SitePaths {
  const larger = allocate(capacity);
  larger.flat.set(site.flat);
  larger.networks.set(site.networks);
  larger.eras.set(site.eras);
  larger.recordedMs.set(site.recordedMs);
  larger.shares.set(site.shares);
  larger.orders.set(site.orders);
  larger.nexts.set(site.nexts);
  return { ...larger, firsts: site.firsts, count: site.count, recorded: site.recorded };
}

function isOfAnother(site: SitePaths, index: number, { networks, era, nowMs }: PathOrigin): boolean {
  const ageMs = nowMs - (site.recordedMs[index] ?? 0);
  if (ageMs >= LIFE_MS) return false;
  if (site.eras[index] !== era) return ageMs >= PAGE_MS;
  return !networks.includes(site.networks[index] ?? Number.NaN);
}

/** The places of a full site by the shares of their networks, in the order in which they were recorded. */
function queueAll({ shares, orders, recordedMs }: SitePaths): ShareQueues {
  const queues = createShareQueues(orders.length);
  const places = Array.from(orders.keys()).sort((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  for (const place of places) queues.push(shares[place] ?? 0, place, recordedMs[place] ?? 0);
  return queues;
}

/** Of a full site: the place of a shape that counts no more, else of the oldest one in the fullest shares. */
function placeToReuse(site: SitePaths, nowMs: number): number {
  site.queues ??= queueAll(site);
  return site.queues.shift(nowMs - LIFE_MS + 1) ?? 0;
}

/** Takes a shape that is about to be overwritten out of its cell. */
function unlink({ flat, firsts, nexts }: SitePaths, at: number): void {
  const cell = cellOf(flat, at * SHAPE_BYTES);
  const next = nexts[at] ?? NO_SHAPE;
  let before = firsts.get(cell) ?? NO_SHAPE;
  if (before === at) {
    if (next === NO_SHAPE) firsts.delete(cell);
    else firsts.set(cell, next);
    return;
  }
  while (before !== NO_SHAPE && nexts[before] !== at) before = nexts[before] ?? NO_SHAPE;
  if (before !== NO_SHAPE) nexts[before] = next;
}

function link({ flat, firsts, nexts }: SitePaths, at: number): void {
  const cell = cellOf(flat, at * SHAPE_BYTES);
  nexts[at] = firsts.get(cell) ?? NO_SHAPE;
  firsts.set(cell, at);
}

/** Those shapes of the site among which any within reach of this one are. */
function candidatesFor(shape: Int8Array, { firsts, nexts }: SitePaths): readonly number[] {
  const found: number[] = [];
  for (const cell of cellsAround(cellOf(shape, 0))) {
    for (let at = firsts.get(cell) ?? NO_SHAPE; at !== NO_SHAPE; at = nexts[at] ?? NO_SHAPE) found.push(at);
  }
  return found;
}

function put(site: SitePaths, shape: Int8Array, { networks, era, nowMs }: PathOrigin): void {
  const isFull = site.count === site.recordedMs.length;
  const at = isFull ? placeToReuse(site, nowMs) : site.count++;
  if (isFull) unlink(site, at);
  const network = networks.at(-1) ?? Number.NaN;
  site.flat.set(shape, at * SHAPE_BYTES);
  link(site, at);
  site.networks[at] = network;
  site.eras[at] = era;
  site.recordedMs[at] = nowMs;
  const share = shareOfNetwork(network);
  site.shares[at] = share;
  site.queues?.push(share, at, nowMs);
  site.orders[at] = site.recorded++;
}

/**
 * What this process remembers of paths: at most `perSite` shapes of a site and `inAll` of all sites, about 100 bytes each; the site
 * in which nothing was recorded for longest makes room, and within a full site the networks that hold most of it. What is
 * recorded here, other nodes are told (`shared-memory.ts`).
 */
export function createPathMemory(bounds: { readonly perSite: number; readonly inAll: number }): PathMemory {
  const sites = new Map<string, SitePaths>();
  let held = 0;

  const makeRoom = (siteKey: string, more: number): void => {
    for (const [oldest, { recordedMs }] of sites) {
      if (held + more <= bounds.inAll) return;
      if (oldest === siteKey) continue;
      sites.delete(oldest);
      held -= recordedMs.length;
    }
  };

  const openSite = (siteKey: string): SitePaths => {
    const known = sites.get(siteKey);
    const capacity = known?.recordedMs.length ?? 0;
    const isFull = known === undefined || known.count === capacity;
    const wanted = isFull ? Math.min(bounds.perSite, Math.max(FIRST_CAPACITY, 2 * capacity)) : capacity;
    makeRoom(siteKey, wanted - capacity);
    const site = known === undefined ? allocate(wanted) : wanted > capacity ? enlarge(known, wanted) : known;
    held += wanted - capacity;
    // The map's order is that of the last record.
    sites.delete(siteKey);
    sites.set(siteKey, site);
    return site;
  };

  return {
    nearest: (siteKey, shapes, origin) => {
      const site = sites.get(siteKey);
      if (site === undefined) return undefined;
      const distances = shapes.flatMap(
        (shape) =>
          nearestDistance(shape, site.flat, candidatesFor(shape, site), (index) => isOfAnother(site, index, origin)) ??
          [],
      );
      return distances.length === 0 ? undefined : Math.min(...distances);
    },
    record: (siteKey, shapes, origin) => {
      for (const shape of shapes) put(openSite(siteKey), shape, origin);
    },
  };
}
