import { NETWORK_BITS, type Seen } from "@stile/core/domain/visitor/network-places";
import { createHeld } from "../held.ts";

/**
 * Cells per row, a power of two; and rows: the smallest of a class's cells counts. Four short rows
 * rather than two long ones: a rare class passes for a wave only if it shares its cell with a
 * frequent one in every row.
 */
const CELLS = 1024;
const CELL_SHIFT = 22;
const ROWS = 4;
const SIZE = ROWS * CELLS;

/**
 * So many visits of one network count in each half of the recent stretch, beside twice as many as
 * networks have on the average: where a class has more networks than places, each visit counts as
 * one, and what a network sends by itself neither makes a class of others a wave nor a program
 * usual. Networks share so many counts.
 */
const MOST_OF_NETWORK = 4;
const NETWORK_COUNTS = 4096;

/**
 * Length of each half of the recent stretch: this many visits, but no shorter or longer than this,
 * ms.
 */
const HALF = { visits: 150, leastMs: 300_000, mostMs: 7_200_000 };
/**
 * What it takes to know a usual share: this many visits that belonged to no wave, over at least
 * this long, ms.
 */
const EPOCH = { visits: 300, leastMs: 3_600_000 };
/** What was usual is half forgotten after this time, ms. */
const HALF_LIFE_MS = 3 * 86_400_000;
/**
 * No class counts as rarer than this: strangers' classes share its cells, however many there are.
 */
const LEAST_SHARE = 0.004;
/** Visits added to those counted: a class seen once or never is not known to be rare. */
const UNSEEN = 1;
/**
 * From one epoch to the next, a class becomes at most twice as usual: to pass for usual takes an
 * attacker hours.
 */
const MOST_GROWTH = 2;

/** Counts of visits and sets of networks, by class, of one half of the recent stretch. */
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
 * Odd multipliers, one per row; the product's highest bits select the cell (multiply-shift hashing,
 * Dietzfelbinger 1997). No two rows use the same bits of a digest, so digests that share a cell in
 * one row hardly do so in all.
 */
const MULTIPLIERS = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f] as const;

const cellOf = (digest: number, row: number): number =>
  row * CELLS + (Math.imul(digest, MULTIPLIERS[row] ?? 1) >>> CELL_SHIFT);

/** Whether one more visit of that network counts; if so, notes it. */
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

/** A visit being judged. */
type HeldVisit = { readonly digests: readonly number[]; readonly network: number };

/** How many of these visits are of a class, and the bits of their networks. */
function ofClass(digest: number, held: ReadonlySet<HeldVisit>) {
  let [visits, low, high] = [0, 0, 0];
  for (const { digests, network } of held) {
    if (!digests.includes(digest)) continue;
    visits++;
    const bit = network % NETWORK_BITS;
    if (bit < 32) low |= 1 << bit;
    else high |= 1 << (bit & 31);
  }
  return { visits, low, high };
}

/**
 * What one site's visits have in common, recently and usually. It takes 144 KB, whatever comes:
 * classes share cells, so a class may seem more frequent and more usual than it is, by a few in a
 * thousand of all visits; and no number of new classes pushes an old one out.
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

  const held = createHeld<HeldVisit>();

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
    /** Visits that are looked at, and since when, ms. */
    total: () => halves[0].total + halves[1].total + held.all.size,
    spanStartMs: () => spanStartMs,
    isLearning: () => epochs === 0,
    /** Drops what is no longer recent, and learns what was usual; call this before any lookup. */
    advance: (atMs: number): void => {
      const halfMs = atMs - halfStartMs;
      const isFull = halfMs >= HALF.leastMs && halves[1].total >= HALF.visits;
      if (isFull || halfMs >= HALF.mostMs) turnHalf(atMs);
      if (halfMs >= 2 * HALF.mostMs) turnHalf(atMs);
      if (epochTotal >= EPOCH.visits && atMs - epochStartMs >= EPOCH.leastMs) foldEpoch(atMs);
    },
    /** Recent visits of a class. */
    seen: (digest: number): Seen => {
      const judged = ofClass(digest, held.all);
      let visits = Number.POSITIVE_INFINITY;
      // The places of all rows, since those of another class may stand in one of them.
      let [low, high] = [-1, -1];
      for (let row = 0; row < ROWS; row++) {
        const cell = cellOf(digest, row);
        const [older, newer] = halves;
        visits = Math.min(visits, (older.visits[cell] ?? 0) + (newer.visits[cell] ?? 0));
        low &= (older.low[cell] ?? 0) | (newer.low[cell] ?? 0);
        high &= (older.high[cell] ?? 0) | (newer.high[cell] ?? 0);
      }
      visits += judged.visits;
      low |= judged.low;
      high |= judged.high;
      return { visits, low, high };
    },
    /** The usual share of a class in the site's visits, 0..1; an upper bound. */
    usualShare: (digest: number): number => {
      let share = 1;
      for (let row = 0; row < ROWS; row++) share = Math.min(share, usual[cellOf(digest, row)] ?? 1);
      return Math.max(share, LEAST_SHARE);
    },
    /** Counts a visit until the returned function is called. */
    hold: (digests: readonly number[], network: number) => held.hold({ digests, network }),
    /**
     * Counts one more visit, by the digests of all that it shares; `network` is any whole number.
     * False if its network sent too many to be counted.
     */
    count: (digests: readonly number[], network: number): boolean => {
      const [, half] = halves;
      if (!hasRoomFor(half, network)) return false;
      addTo(half, digests, network);
      return true;
    },
    /** Counts a visit towards what is usual. */
    learn: (digests: readonly number[]): void => {
      epochTotal++;
      for (const digest of digests) {
        // Only the smallest cells grow, so that classes that share a cell count little of each
        // other.
        let count = Number.POSITIVE_INFINITY;
        for (let row = 0; row < ROWS; row++)
          count = Math.min(count, epoch[cellOf(digest, row)] ?? 0);
        for (let row = 0; row < ROWS; row++) {
          const cell = cellOf(digest, row);
          epoch[cell] = Math.max(epoch[cell] ?? 0, count + 1);
        }
      }
    },
    /** Takes that many visits of a class out again before they become usual. */
    unlearn: (digest: number, visits: number): void => {
      for (let row = 0; row < ROWS; row++) {
        const cell = cellOf(digest, row);
        epoch[cell] = Math.max(0, (epoch[cell] ?? 0) - visits);
      }
    },
  };
}

/** What one site's visits have in common. */
export type SiteSketch = ReturnType<typeof createSiteSketch>;
