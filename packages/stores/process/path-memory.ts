import {
  COMMON_SQUARES,
  cellOf,
  cellsAround,
  countNetworksNear,
  distanceFound,
  isSketchBeyond,
  lookAt,
  SHAPE_BYTES,
  SKETCH_LENGTH,
  searchNearest,
  sketchInto,
} from "@stile/core/domain/visitor/nearest-path";
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
  /** Of each shape, what tells most others apart from it. */
  sketches: Int16Array;
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
    sketches: new Int16Array(capacity * SKETCH_LENGTH),
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
  larger.sketches.set(site.sketches);
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
  const network = site.networks[index];
  for (let i = 0; i < networks.length; i++) if (networks[i] === network) return false;
  return true;
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

/** Distance of a shape from the nearest of the site that another network drew: paths of one generator fill a cell. */
function nearestOf(shape: Int8Array, site: SitePaths, origin: PathOrigin): number | undefined {
  const search = searchNearest(shape);
  const isCounted = (index: number): boolean => isOfAnother(site, index, origin);
  const { firsts, nexts } = site;
  for (const cell of cellsAround(cellOf(shape, 0))) {
    for (let at = firsts.get(cell) ?? NO_SHAPE; at !== NO_SHAPE; at = nexts[at] ?? NO_SHAPE) {
      lookAt(search, site, at, isCounted);
    }
  }
  return distanceFound(search);
}

/** Shapes of the site among which all lie that make this one a common path. */
function* aboutTheSame(shape: Int8Array, { firsts, nexts, sketches }: SitePaths): Iterable<number> {
  const sketch = new Int16Array(SKETCH_LENGTH);
  sketchInto(sketch, 0, shape, 0);
  for (const cell of cellsAround(cellOf(shape, 0))) {
    for (let at = firsts.get(cell) ?? NO_SHAPE; at !== NO_SHAPE; at = nexts[at] ?? NO_SHAPE) {
      if (!isSketchBeyond(sketch, sketches, at * SKETCH_LENGTH, COMMON_SQUARES)) yield at;
    }
  }
}

function put(site: SitePaths, shape: Int8Array, { networks, era, nowMs }: PathOrigin): void {
  const isFull = site.count === site.recordedMs.length;
  const at = isFull ? placeToReuse(site, nowMs) : site.count++;
  if (isFull) unlink(site, at);
  const network = networks.at(-1) ?? Number.NaN;
  site.flat.set(shape, at * SHAPE_BYTES);
  sketchInto(site.sketches, at, shape, 0);
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
 * What this process remembers of paths: at most `perSite` shapes of a site and `inAll` of all sites, about 120 bytes each; the site
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
      const distances = shapes.flatMap((shape) => nearestOf(shape, site, origin) ?? []);
      return distances.length === 0 ? undefined : Math.min(...distances);
    },
    networksNear: (siteKey, shapes, origin) => {
      const site = sites.get(siteKey);
      if (site === undefined) return 0;
      const networkAt = (index: number) => (isOfAnother(site, index, origin) ? site.networks[index] : undefined);
      const counts = shapes.map((it) => countNetworksNear(it, site.flat, aboutTheSame(it, site), networkAt));
      return Math.max(0, ...counts);
    },
    record: (siteKey, shapes, origin) => {
      for (const shape of shapes) put(openSite(siteKey), shape, origin);
    },
  };
}
