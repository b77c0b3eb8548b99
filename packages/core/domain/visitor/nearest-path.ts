import {
  COMMON_NETWORKS,
  COMMON_REACH,
  type PathShape,
  SHAPE_LENGTH,
  SHAPE_REACH,
  UNITS_A_LINE,
} from "@stile/risk/trajectory/path-shape";

/** Number of bytes of a stored shape. */
export const SHAPE_BYTES: number = SHAPE_LENGTH;

/** A distance as a sum of squares, the form that the search compares. */
const squaresOf = (distance: number): number => SHAPE_LENGTH * (distance * UNITS_A_LINE) ** 2;

/** The squares within which a shape counts as near (SHAPE_REACH). */
export const NEAR_SQUARES: number = squaresOf(SHAPE_REACH);
/**
 * The squares within which two shapes are about the same. A search needs all shapes within this
 * wider reach.
 */
export const COMMON_SQUARES: number = squaresOf(COMMON_REACH);

/**
 * The most shapes that one search compares in full. If more have similar sketches, they are denser
 * than those of recorded users (at most 11 of 5,000), and the shape counts as near, or as common.
 * So an attacker who plants a crowd to keep the search busy hides nothing in it.
 */
const MOST_COMPARED = 512;

/**
 * Sum of squares between a shape and the one at `offset`. It stops once the sum exceeds `limit`.
 */
function squaresTo(shape: PathShape, flat: Int8Array, offset: number, limit: number): number {
  let sum = 0;
  for (let i = 0; i < SHAPE_LENGTH && sum <= limit; i++) {
    const difference = (shape[i] as number) - (flat[offset + i] as number);
    sum += difference * difference;
  }
  return sum;
}

/** The sum of squares between two shapes; if it is above `limit`, some number above that. */
export const squaresBetween = (one: PathShape, other: PathShape, limit: number): number =>
  squaresTo(one, other, 0, limit);

/**
 * A sum of squares as a distance: the root mean square, as a fraction of the line from start to
 * end.
 */
export const toDistance = (squares: number): number =>
  Math.sqrt(squares / SHAPE_LENGTH) / UNITS_A_LINE;

/** Numbers in a sketch. */
export const SKETCH_LENGTH = 8;
/**
 * How many numbers of a shape are added up, some negated, for each number of its sketch. The
 * squares between two sketches, divided by this, are a lower bound of those between the shapes
 * (Cauchy and Schwarz).
 */
const SUMMED = SHAPE_LENGTH / 2;
/** If two shapes lie within `squares`, no number of their sketches differs by more than this. */
export const sketchReach = (squares: number): number => Math.floor(Math.sqrt(SUMMED * squares));

/**
 * Writes the sketch of the shape at `offset` to `sketches`: along and across, its mean place over
 * time, and how the quarters of its time differ from that (a Walsh transform of their sums, the
 * coarsest first). Shapes hold their points from the middle outwards, alternately after and before
 * it.
 */
export function sketchInto(
  sketches: Int16Array,
  at: number,
  flat: Int8Array,
  offset: number,
): void {
  const first = at * SKETCH_LENGTH;
  sketches.fill(0, first, first + SKETCH_LENGTH);
  for (let i = 0; i < SHAPE_LENGTH; i++) {
    const isOuter = i >= SHAPE_LENGTH / 2;
    const place = first + (i & 3) + (isOuter ? 4 : 0);
    sketches[place] = (sketches[place] as number) + (flat[offset + i] as number);
  }
  // First the halves after and before the middle, then inner and outer: each pair becomes its sum
  // and its difference.
  for (const step of [2, 4]) {
    for (let i = 0; i < SKETCH_LENGTH; i++) {
      if ((i & step) !== 0) continue;
      const one = sketches[first + i] as number;
      const other = sketches[first + i + step] as number;
      sketches[first + i] = one + other;
      sketches[first + i + step] = one - other;
    }
  }
}

/**
 * Whether a shape is farther than `squares` from the one whose sketch starts at `from` in
 * `sketches`. Only true is certain. It runs thousands of times per path: unrolled, it costs a
 * third.
 */
export function isSketchBeyond(
  sketch: Int16Array,
  sketches: Int16Array,
  from: number,
  squares: number,
): boolean {
  const most = squares * SUMMED;
  const a = (sketch[0] as number) - (sketches[from] as number);
  const b = (sketch[1] as number) - (sketches[from + 1] as number);
  const c = (sketch[2] as number) - (sketches[from + 2] as number);
  const d = (sketch[3] as number) - (sketches[from + 3] as number);
  const inner = a * a + b * b + c * c + d * d;
  if (inner > most) return true;
  const e = (sketch[4] as number) - (sketches[from + 4] as number);
  const f = (sketch[5] as number) - (sketches[from + 5] as number);
  const g = (sketch[6] as number) - (sketches[from + 6] as number);
  const h = (sketch[7] as number) - (sketches[from + 7] as number);
  return inner + e * e + f * f + g * g + h * h > most;
}

/**
 * A search among the shapes around one. `look` takes the index of a shape and returns the sum of
 * squares within which the remaining ones must lie to matter; below 0, none matters.
 */
export type PathSearch<Answer> = {
  readonly look: (index: number) => number;
  readonly answer: () => Answer;
};

/**
 * Searches for the distance (root mean square, in lines from start to end) of the nearest of the
 * shapes stored in `flat`; undefined if none is within SHAPE_REACH. It ignores shapes that
 * `isCounted` refuses.
 */
export function searchNearest(
  shape: PathShape,
  flat: Int8Array,
  isCounted: (index: number) => boolean,
): PathSearch<number | undefined> {
  let nearest = NEAR_SQUARES;
  let isFound = false;
  let compared = 0;
  return {
    look: (index) => {
      if (!isCounted(index)) return nearest;
      if (++compared > MOST_COMPARED) return -1;
      const squares = squaresTo(shape, flat, index * SHAPE_LENGTH, nearest);
      if (squares > nearest) return nearest;
      isFound = true;
      nearest = squares;
      return nearest;
    },
    answer: () => {
      if (isFound) return toDistance(nearest);
      return compared > MOST_COMPARED ? SHAPE_REACH : undefined;
    },
  };
}

/**
 * Counts the networks that drew shapes in `flat` within COMMON_REACH of this one, and stops at the
 * number that makes a path common. `networkAt` gives the network of a shape, undefined if the shape
 * does not count; `known` are networks that count in any case.
 */
export function searchNetworks(
  shape: PathShape,
  flat: Int8Array,
  networkAt: (index: number) => number | undefined,
  known: readonly number[] = [],
): PathSearch<number> {
  const networks = [...known];
  let compared = 0;
  return {
    look: (index) => {
      const network = networkAt(index);
      if (network === undefined || networks.includes(network)) return COMMON_SQUARES;
      if (++compared > MOST_COMPARED) return -1;
      const squares = squaresTo(shape, flat, index * SHAPE_LENGTH, COMMON_SQUARES);
      if (squares <= COMMON_SQUARES) networks.push(network);
      return networks.length < COMMON_NETWORKS ? COMMON_SQUARES : -1;
    },
    answer: () => (compared > MOST_COMPARED ? COMMON_NETWORKS : networks.length),
  };
}
