import {
  COMMON_NETWORKS,
  COMMON_REACH,
  type PathShape,
  SHAPE_LENGTH,
  SHAPE_REACH,
  UNITS_A_LINE,
} from "@stile/risk/trajectory/path-shape";

/** Bytes of a remembered shape. */
export const SHAPE_BYTES: number = SHAPE_LENGTH;

/** A distance as a sum of squares, which is what the search compares. */
const squaresOf = (distance: number): number => SHAPE_LENGTH * (distance * UNITS_A_LINE) ** 2;

/** Of shapes within SHAPE_REACH. */
export const NEAR_SQUARES: number = squaresOf(SHAPE_REACH);
/** The same for shapes that are about the same: what is looked through has to hold all that is within this wider reach. */
export const COMMON_SQUARES: number = squaresOf(COMMON_REACH);

/**
 * Shapes that one is held against, number by number, for each question at most. Where more are alike by their sketches, they crowd around
 * it as no people's do (of 5,000 shapes of people at most 11), and it is taken for near, or for common: whoever puts up a crowd to keep
 * the search busy hides nothing in it.
 */
const MOST_COMPARED = 512;

/** Sum of squares between a shape and the one that starts at `offset`; once above `limit`, no further. */
function squaresTo(shape: PathShape, flat: Int8Array, offset: number, limit: number): number {
  let sum = 0;
  for (let i = 0; i < SHAPE_LENGTH && sum <= limit; i++) {
    const difference = (shape[i] as number) - (flat[offset + i] as number);
    sum += difference * difference;
  }
  return sum;
}

/** Sum of squares between two shapes; of such as are farther apart than `limit`, a number above that. */
export const squaresBetween = (one: PathShape, other: PathShape, limit: number): number =>
  squaresTo(one, other, 0, limit);

/** What a sum of squares is as a distance: root mean square, in lines from start to end. */
export const toDistance = (squares: number): number => Math.sqrt(squares / SHAPE_LENGTH) / UNITS_A_LINE;

/** Numbers in a sketch. */
export const SKETCH_LENGTH = 8;
/**
 * Numbers of a shape that each number of its sketch is the sum of, some of them with a minus. Two shapes are apart by at least the
 * squares between their sketches over this (Cauchy and Schwarz).
 */
const SUMMED = SHAPE_LENGTH / 2;
/** Within so many squares of each other, two shapes have sketches of which no number is farther apart than this. */
export const sketchReach = (squares: number): number => Math.floor(Math.sqrt(SUMMED * squares));

/**
 * Writes the sketch of the shape that starts at `offset` to `sketches`: along and across, where it is in the mean of its time, and how
 * the quarters of its time differ from that (a Walsh transform of their sums, the coarsest first). Shapes hold the points from
 * the middle outwards, in turn after and before it.
 */
export function sketchInto(sketches: Int16Array, at: number, flat: Int8Array, offset: number): void {
  const first = at * SKETCH_LENGTH;
  sketches.fill(0, first, first + SKETCH_LENGTH);
  for (let i = 0; i < SHAPE_LENGTH; i++) {
    const isOuter = i >= SHAPE_LENGTH / 2;
    const place = first + (i & 3) + (isOuter ? 4 : 0);
    sketches[place] = (sketches[place] as number) + (flat[offset + i] as number);
  }
  // After and before the middle, then inner and outer: each pair becomes its sum and its difference.
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
 * Whether a shape is farther than `squares`, a sum of squares, from the one whose sketch starts at `from` in `sketches`; true is
 * certain. Asked thousands of times for one path: written out, it costs a third.
 */
export function isSketchBeyond(sketch: Int16Array, sketches: Int16Array, from: number, squares: number): boolean {
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
 * A question about the shapes around one. Shown the index of a shape, `look` answers within how many squares the ones that are still to
 * be shown must lie to matter; below 0, none of them does.
 */
export type PathSearch<Answer> = { readonly look: (index: number) => number; readonly answer: () => Answer };

/**
 * Asks for the distance (root mean square, in lines from start to end) of the nearest of the shapes that lie end to end in `flat`;
 * undefined if none is within SHAPE_REACH. Those that `isCounted` refuses are left out.
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
 * Asks how many networks drew those of the shapes in `flat` that lie within COMMON_REACH of this one; of a common path no more than
 * make it common. `networkAt` names whose a shape is, and is undefined where it does not count.
 */
export function searchNetworks(
  shape: PathShape,
  flat: Int8Array,
  networkAt: (index: number) => number | undefined,
): PathSearch<number> {
  const networks: number[] = [];
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

function answerAfter<Answer>({ look, answer }: PathSearch<Answer>, indices: Iterable<number>): Answer {
  for (const index of indices) if (look(index) < 0) break;
  return answer();
}

/** What `searchNearest` answers after a look at all shapes with these indices. */
export const nearestDistance = (
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  isCounted: (index: number) => boolean,
): number | undefined => answerAfter(searchNearest(shape, flat, isCounted), indices);

/** What `searchNetworks` answers after a look at all shapes with these indices. */
export const countNetworksNear = (
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  networkAt: (index: number) => number | undefined,
): number => answerAfter(searchNetworks(shape, flat, networkAt), indices);
