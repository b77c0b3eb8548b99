/**
 * Estimates how many recent visits and networks each class of a site's visits has, and its usual
 * share of the visits. It needs 144 KB per site. Classes and networks are 32-bit digests.
 *
 * Counts. A class has one cell in each of 4 rows of 1,024 cells, and shares cells with other
 * classes. Example: its four cells hold 40, 43, 40 and 55 visits. Cells only overestimate, so the
 * estimate is the smallest: 40.
 *
 * Networks. Each cell has a set of 64 bits; network 130 sets bit 130 % 64 = 2. Example: 28 bits are
 * set in all four cells of a class. That means about -64 ln(1 - 28/64) = 37 networks
 * (`network-places.ts`). If all 64 bits are set, each visit counts as a network. Therefore a single
 * network may add only a few visits per half.
 *
 * Recent. There are two halves. The newer one is full after 150 visits and 5 minutes, or after 2
 * hours; then the older one is dropped. Example: a site with 600 visits an hour fills a half in 15
 * minutes, so the latest 150 to 300 visits count.
 *
 * Usual. An epoch ends after at least 300 learnt visits and one hour. Example: 3 of 400 visits are
 * of a class, so its share is (3 + 1) / (400 + 1) = 1%. In the next epoch it has 8%, but a share at
 * most doubles, so it becomes 2%. Then the class disappears: its share halves every three days.
 */

import { NETWORK_BITS, type Seen } from "@stile/core/domain/visitor/network-places";
import { createPendingVisits } from "../pending-visits.ts";

/**
 * The number of cells per row, a power of two, and of rows. The estimate of a class is its smallest
 * cell. Four short rows are better than two long ones: a rare class looks like a wave only if it
 * shares a cell with a frequent class in every row.
 */
const CELLS = 1024;
const CELL_SHIFT = 22;
const ROWS = 4;
const SIZE = ROWS * CELLS;

/**
 * In each half, this many visits of a network count, plus twice the average per network counter.
 * Where a class has more networks than bits, each visit counts as a network. So without this limit,
 * one network could make another class a wave, or a program usual. Networks share 4,096 counters.
 */
const MOST_OF_NETWORK = 4;
const NETWORK_COUNTS = 4096;

/** The length of each half: this many visits, but at least and at most this long, ms. */
const HALF = { visits: 150, leastMs: 300_000, mostMs: 7_200_000 };
/**
 * The length of an epoch: at least this many visits that belong to no wave, and at least this long,
 * ms.
 */
const EPOCH = { visits: 300, leastMs: 3_600_000 };
/** A usual share halves in this time (ms) if the class is gone. */
const HALF_LIFE_MS = 3 * 86_400_000;
/**
 * No class counts as rarer than this, because rare classes share cells with an unlimited number of
 * others.
 */
const LEAST_SHARE = 0.004;
/** Added to the counted visits: after one visit or none, a class is not yet known to be rare. */
const UNSEEN = 1;
/** A usual share at most doubles per epoch, so an attacker needs hours to make a class usual. */
const MOST_GROWTH = 2;

/** Visits and sets of networks by class, in one half of the recent visits. */
type Half = {
  readonly visits: Uint32Array;
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  /** Visits by network. */
  readonly ofNetworks: Uint16Array;
  total: number;
};

const createHalf = (): Half => ({
  visits: new Uint32Array(SIZE),
  low: new Uint32Array(SIZE),
  high: new Uint32Array(SIZE),
  ofNetworks: new Uint16Array(NETWORK_COUNTS),
  total: 0,
});

/**
 * Odd multipliers, one per row. The highest bits of the product select the cell (multiply-shift
 * hashing, Dietzfelbinger 1997). Each row uses other bits of the digest, so two digests rarely
 * share a cell in every row.
 */
const MULTIPLIERS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

const cellOf = (digest: number, row: number): number =>
  row * CELLS + (Math.imul(digest, MULTIPLIERS[row] ?? 1) >>> CELL_SHIFT);

/** Whether one more visit of the network counts. If so, counts it. */
function hasRoomFor({ ofNetworks, total }: Half, network: number): boolean {
  const at = network % NETWORK_COUNTS;
  const sent = ofNetworks[at] ?? 0;
  if (sent >= MOST_OF_NETWORK + (2 * total) / NETWORK_COUNTS) return false;
  ofNetworks[at] = sent + 1;
  return true;
}

function addTo(half: Half, digests: readonly number[], network: number): void {
  half.total++;
  const bit = network % NETWORK_BITS;
  for (const digest of digests) {
    for (let row = 0; row < ROWS; row++) {
      const cell = cellOf(digest, row);
      half.visits[cell] = (half.visits[cell] ?? 0) + 1;
      const set = bit < 32 ? half.low : half.high;
      set[cell] = (set[cell] ?? 0) | (1 << (bit & 31));
    }
  }
}

/** A visit that is being scored. */
type PendingVisit = { readonly digests: readonly number[]; readonly network: number };

/** How many of these visits are of a class, and the bits of their networks. */
function ofClass(digest: number, pending: ReadonlySet<PendingVisit>) {
  let [visits, low, high] = [0, 0, 0];
  for (const { digests, network } of pending) {
    if (!digests.includes(digest)) continue;
    visits++;
    const bit = network % NETWORK_BITS;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit & 31);
  }
  return { visits, low, high };
}

/**
 * A sketch of one site's recent and usual visits. Its size is fixed: new classes, however many,
 * never evict an old one. A class may seem more frequent or more usual than it is, by a few visits
 * in a thousand.
 */
export function createSiteSketch(nowMs: number) {
  let halves: readonly [Half, Half] = [createHalf(), createHalf()];
  let halfStartMs = nowMs;
  let spanStartMs = nowMs;
  const usual = new Float32Array(SIZE);
  const epoch = new Uint32Array(SIZE);
  let epochTotal = 0;
  let epochStartMs = nowMs;
  let epochs = 0;

  const pending = createPendingVisits<PendingVisit>();

  const turnHalf = (atMs: number): void => {
    const [older, newer] = halves;
    older.visits.fill(0);
    older.low.fill(0);
    older.high.fill(0);
    older.ofNetworks.fill(0);
    older.total = 0;
    halves = [newer, older];
    spanStartMs = halfStartMs;
    halfStartMs = atMs;
  };

  const foldEpoch = (atMs: number): void => {
    const kept = 2 ** (-(atMs - epochStartMs) / HALF_LIFE_MS);
    for (let cell = 0; cell < SIZE; cell++) {
      const before = usual[cell] ?? 0;
      const share = ((epoch[cell] ?? 0) + UNSEEN) / (epochTotal + UNSEEN);
      const grown =
        epochs === 0 ? share : Math.min(share, MOST_GROWTH * Math.max(before, LEAST_SHARE));
      usual[cell] = Math.max(grown, before * kept);
    }
    epoch.fill(0);
    epochTotal = 0;
    epochStartMs = atMs;
    epochs++;
  };

  return {
    /** The number of recent visits, and when the older half began, ms. */
    total: () => halves[0].total + halves[1].total + pending.all.size,
    spanStartMs: () => spanStartMs,
    isLearning: () => epochs === 0,
    /**
     * Drops visits that are no longer recent and ends the epoch if it is complete. Call it before
     * every lookup.
     */
    advance: (atMs: number): void => {
      const halfMs = atMs - halfStartMs;
      const isFull = halfMs >= HALF.leastMs && halves[1].total >= HALF.visits;
      if (isFull || halfMs >= HALF.mostMs) turnHalf(atMs);
      if (halfMs >= 2 * HALF.mostMs) turnHalf(atMs);
      if (epochTotal >= EPOCH.visits && atMs - epochStartMs >= EPOCH.leastMs) foldEpoch(atMs);
    },
    /** The recent visits of a class. */
    seen: (digest: number): Seen => {
      const unscored = ofClass(digest, pending.all);
      let visits = Number.POSITIVE_INFINITY;
      // A bit counts only if it is set in all rows: in one row, another class may have set it.
      let [low, high] = [-1, -1];
      for (let row = 0; row < ROWS; row++) {
        const cell = cellOf(digest, row);
        const [older, newer] = halves;
        visits = Math.min(visits, (older.visits[cell] ?? 0) + (newer.visits[cell] ?? 0));
        low &= (older.low[cell] ?? 0) | (newer.low[cell] ?? 0);
        high &= (older.high[cell] ?? 0) | (newer.high[cell] ?? 0);
      }
      visits += unscored.visits;
      low |= unscored.low;
      high |= unscored.high;
      return { visits, low, high };
    },
    /** The usual share of a class in the site's visits, 0 to 1. It is an upper bound. */
    usualShare: (digest: number): number => {
      let share = 1;
      for (let row = 0; row < ROWS; row++) share = Math.min(share, usual[cellOf(digest, row)] ?? 1);
      return Math.max(share, LEAST_SHARE);
    },
    /** Counts a visit until the caller calls the returned function. */
    addPending: (digests: readonly number[], network: number) => pending.add({ digests, network }),
    /**
     * Counts a visit under each of its digests. `network` is any whole number. Returns false if the
     * network sent too many visits and this one does not count.
     */
    count: (digests: readonly number[], network: number): boolean => {
      const [, half] = halves;
      if (!hasRoomFor(half, network)) return false;
      addTo(half, digests, network);
      return true;
    },
    /** Counts a visit of the current epoch. */
    learn: (digests: readonly number[]): void => {
      epochTotal++;
      for (const digest of digests) {
        // Only the smallest cells grow. So classes that share a cell affect each other less.
        let count = Number.POSITIVE_INFINITY;
        for (let row = 0; row < ROWS; row++)
          count = Math.min(count, epoch[cellOf(digest, row)] ?? 0);
        for (let row = 0; row < ROWS; row++) {
          const cell = cellOf(digest, row);
          epoch[cell] = Math.max(epoch[cell] ?? 0, count + 1);
        }
      }
    },
    /**
     * Removes that many visits of a class from the current epoch, so that they do not become usual.
     */
    unlearn: (digest: number, visits: number): void => {
      for (let row = 0; row < ROWS; row++) {
        const cell = cellOf(digest, row);
        epoch[cell] = Math.max(0, (epoch[cell] ?? 0) - visits);
      }
    },
  };
}

/** A sketch of one site's visits. */
export type SiteSketch = ReturnType<typeof createSiteSketch>;
