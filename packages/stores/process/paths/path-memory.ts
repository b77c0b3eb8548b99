/**
 * Remembers the shapes of visitors' paths for a day, and finds similar ones.
 *
 * Example: a site may hold 1,000 shapes. Network 7 records 700 and 300 other networks record one
 * each. The 1,001st shape evicts a shape of network 7, because its eviction share is the largest.
 * Shapes older than a day go first. When a shape arrives, `path-cells.ts` selects, say, 30 of the
 * 1,000 by their sketches, and only these are compared in full (48 numbers each).
 *
 * Shapes of visits that are still being scored are pending. If 50 networks submit one recording at
 * once, each is compared with the shapes pending before it.
 */

import {
  COMMON_SQUARES,
  NEAR_SQUARES,
  type PathSearch,
  SHAPE_BYTES,
  SKETCH_LENGTH,
  searchNearest,
  searchNetworks,
  sketchInto,
  squaresBetween,
  toDistance,
} from "@stile/core/domain/visitor/nearest-path";
import type { PathMemory, PathOrigin } from "@stile/core/ports/visitor/visit-memory";
import { createEvictionQueues, type EvictionQueues } from "../eviction-queues.ts";
import { shareOfNetwork } from "../eviction-shares.ts";
import { isOfAnother, LIFE_MS } from "../of-another.ts";
import { createPendingVisits } from "../pending-visits.ts";
import { createPathCells, type PathCells } from "./path-cells.ts";

const FIRST_CAPACITY = 64;
/** The shapes of one site, in any order. When all places are taken, new shapes reuse places. */
type SitePaths = {
  flat: Int8Array;
  /** A sketch of each shape, which rules out most other shapes in a comparison. */
  sketches: Int16Array;
  networks: Float64Array;
  eras: Float64Array;
  recordedMs: Float64Array;
  /** For each shape, its eviction share, and the number of shapes recorded before it. */
  shares: Uint16Array;
  orders: Uint32Array;
  /** Finds shapes by their sketches. */
  cells: PathCells;
  /** The number of shapes now stored. */
  count: number;
  /** The number of shapes ever recorded. */
  recorded: number;
  /** Decides which shape to evict. It is created when the first shape must be evicted. */
  queues: EvictionQueues | undefined;
};

function allocate(capacity: number): SitePaths {
  const sketches = new Int16Array(capacity * SKETCH_LENGTH);
  return {
    flat: new Int8Array(capacity * SHAPE_BYTES),
    sketches,
    networks: new Float64Array(capacity),
    eras: new Float64Array(capacity),
    recordedMs: new Float64Array(capacity),
    shares: new Uint16Array(capacity),
    orders: new Uint32Array(capacity),
    cells: createPathCells(sketches),
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
  for (let at = 0; at < site.count; at++) larger.cells.add(at);
  return { ...larger, count: site.count, recorded: site.recorded };
}

/** Queues all places of a full site by eviction share, in the order they were recorded. */
function queueAll({ shares, orders, recordedMs }: SitePaths): EvictionQueues {
  const queues = createEvictionQueues(orders.length);
  const places = Array.from(orders.keys()).sort((a, b) => (orders[a] ?? 0) - (orders[b] ?? 0));
  for (const place of places) queues.push(shares[place] ?? 0, place, recordedMs[place] ?? 0);
  return queues;
}

/**
 * In a full site, the place of a shape that has expired; if none has, of the oldest shape in the
 * largest shares.
 */
function placeToReuse(site: SitePaths, nowMs: number): number {
  site.queues ??= queueAll(site);
  return site.queues.shift(nowMs - LIFE_MS + 1) ?? 0;
}

/**
 * Runs a search over the site's shapes whose sketches allow them to be within `squares` of this
 * one.
 */
function askAround<Answer>(
  shape: Int8Array,
  { cells }: SitePaths,
  squares: number,
  { look, answer }: PathSearch<Answer>,
): Answer {
  const sketch = new Int16Array(SKETCH_LENGTH);
  sketchInto(sketch, 0, shape, 0);
  cells.visit(sketch, squares, look);
  return answer();
}

const isAnothers = (
  { networks, eras, recordedMs }: SitePaths,
  at: number,
  origin: PathOrigin,
): boolean =>
  isOfAnother(origin, networks[at] as number, eras[at] as number, recordedMs[at] as number);

/** The distance from a shape to the nearest one that another network drew on the site. */
function nearestOf(shape: Int8Array, site: SitePaths, origin: PathOrigin): number | undefined {
  const isCounted = (at: number): boolean => isAnothers(site, at, origin);
  return askAround(shape, site, NEAR_SQUARES, searchNearest(shape, site.flat, isCounted));
}

/** How many other networks drew about the same shape, including those in `known`. */
function networksAround(
  shape: Int8Array,
  site: SitePaths,
  origin: PathOrigin,
  known: readonly number[],
): number {
  const networkAt = (at: number): number | undefined =>
    isAnothers(site, at, origin) ? site.networks[at] : undefined;
  return askAround(shape, site, COMMON_SQUARES, searchNetworks(shape, site.flat, networkAt, known));
}

/** The shapes of a visit being scored, and their origin. */
type PendingShapes = {
  readonly siteKey: string;
  readonly shapes: readonly Int8Array[];
  readonly network: number;
  readonly era: number;
};

/** The same two questions about pending shapes. These are few, so each is compared. */
function nearestOfPending(shape: Int8Array, pending: readonly PendingShapes[]): number | undefined {
  let nearest = NEAR_SQUARES + 1;
  for (const { shapes } of pending) {
    for (const other of shapes) nearest = Math.min(nearest, squaresBetween(shape, other, nearest));
  }
  return nearest > NEAR_SQUARES ? undefined : toDistance(nearest);
}

function networksOfPending(shape: Int8Array, pending: readonly PendingShapes[]): readonly number[] {
  const networks = new Set<number>();
  for (const { shapes, network } of pending) {
    if (shapes.some((other) => squaresBetween(shape, other, COMMON_SQUARES) <= COMMON_SQUARES))
      networks.add(network);
  }
  return [...networks];
}

function put(site: SitePaths, shape: Int8Array, { networks, era, nowMs }: PathOrigin): void {
  const isFull = site.count === site.recordedMs.length;
  const at = isFull ? placeToReuse(site, nowMs) : site.count++;
  if (isFull) site.cells.remove(at);
  const network = networks.at(-1) ?? Number.NaN;
  site.flat.set(shape, at * SHAPE_BYTES);
  sketchInto(site.sketches, at, shape, 0);
  site.cells.add(at);
  site.networks[at] = network;
  site.eras[at] = era;
  site.recordedMs[at] = nowMs;
  const share = shareOfNetwork(network);
  site.shares[at] = share;
  site.queues?.push(share, at, nowMs);
  site.orders[at] = site.recorded++;
}

/**
 * This process's memory of paths: at most `perSite` shapes of a site and `inAll` of all sites,
 * about 140 bytes each. The site whose last record is oldest is evicted; a full site evicts shapes
 * of its busiest networks. Other nodes receive what is recorded here (`shared-memory.ts`).
 */
export function createPathMemory(bounds: {
  readonly perSite: number;
  readonly inAll: number;
}): PathMemory {
  const sites = new Map<string, SitePaths>();
  let places = 0;
  const pending = createPendingVisits<PendingShapes>();

  /** Pending shapes of other visitors. */
  const pendingOfOthers = (siteKey: string, origin: PathOrigin): readonly PendingShapes[] => {
    const others: PendingShapes[] = [];
    for (const one of pending.all) {
      if (one.siteKey === siteKey && isOfAnother(origin, one.network, one.era, origin.nowMs))
        others.push(one);
    }
    return others;
  };

  const makeRoom = (siteKey: string, more: number): void => {
    for (const [oldest, { recordedMs }] of sites) {
      if (places + more <= bounds.inAll) return;
      if (oldest === siteKey) continue;
      sites.delete(oldest);
      places -= recordedMs.length;
    }
  };

  const openSite = (siteKey: string): SitePaths => {
    const known = sites.get(siteKey);
    const capacity = known?.recordedMs.length ?? 0;
    const isFull = known === undefined || known.count === capacity;
    const wanted = isFull
      ? Math.min(bounds.perSite, Math.max(FIRST_CAPACITY, 2 * capacity))
      : capacity;
    makeRoom(siteKey, wanted - capacity);
    const site =
      known === undefined ? allocate(wanted) : wanted > capacity ? enlarge(known, wanted) : known;
    places += wanted - capacity;
    // The map's order is that of the last record.
    sites.delete(siteKey);
    sites.set(siteKey, site);
    return site;
  };

  return {
    nearest: (siteKey, shapes, origin) => {
      const site = sites.get(siteKey);
      const others = pendingOfOthers(siteKey, origin);
      const known = shapes.flatMap((shape) => (site && nearestOf(shape, site, origin)) ?? []);
      const distances = [
        ...known,
        ...shapes.flatMap((shape) => nearestOfPending(shape, others) ?? []),
      ];
      return distances.length === 0 ? undefined : Math.min(...distances);
    },
    networksNear: (siteKey, shapes, origin) => {
      const site = sites.get(siteKey);
      const others = pendingOfOthers(siteKey, origin);
      const counts = shapes.map((shape) => {
        const known = networksOfPending(shape, others);
        return site ? networksAround(shape, site, origin, known) : known.length;
      });
      return Math.max(0, ...counts);
    },
    addPending: (siteKey, shapes, { networks, era }) =>
      pending.add({ siteKey, shapes, network: networks.at(-1) ?? Number.NaN, era }),
    record: (siteKey, shapes, origin) => {
      for (const shape of shapes) put(openSite(siteKey), shape, origin);
    },
  };
}
