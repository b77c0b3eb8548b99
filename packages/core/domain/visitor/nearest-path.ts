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

const REACH_SQUARES = squaresOf(SHAPE_REACH);
/** The same for shapes that are about the same: what is looked through has to hold all that is within this wider reach. */
export const COMMON_SQUARES = squaresOf(COMMON_REACH);

/** So many numbers tell most shapes apart; what is near by then is asked about before the rest is compared. */
const GLANCE = 8;

/** Sum of squares of [from, to) between a shape and the one that starts at `offset`; once above `limit`, no further. */
function squaresTo(shape: PathShape, flat: Int8Array, offset: number, limit: number, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to && sum <= limit; i++) {
    const difference = (shape[i] ?? 0) - (flat[offset + i] ?? 0);
    sum += difference * difference;
  }
  return sum;
}

/** Cells of each of the two sums that a shape can be in; the outermost are never reached. */
const CELLS = 128;
/** A weighted sum with weights of length 1 differs by no more between two shapes than they are apart: cells as wide as the reach. */
const CELL_WIDTH = Math.sqrt(COMMON_SQUARES);
const WEIGHT = 1 / Math.sqrt(SHAPE_LENGTH / 2);

/**
 * The cell of the shape that starts at `offset`: by how much it runs ahead of its time along the line in all, and how far it
 * strays to one side. Shapes within COMMON_REACH of each other are in one cell or in neighbouring ones, so a search need look
 * into `cellsAround` only.
 */
export function cellOf(flat: Int8Array, offset: number): number {
  let along = 0;
  let across = 0;
  for (let i = offset; i < offset + SHAPE_LENGTH; i += 2) {
    along += flat[i] ?? 0;
    across += flat[i + 1] ?? 0;
  }
  const row = Math.floor((along * WEIGHT) / CELL_WIDTH) + CELLS / 2;
  return row * CELLS + Math.floor((across * WEIGHT) / CELL_WIDTH) + CELLS / 2;
}

/** A cell and its eight neighbours. */
export function cellsAround(cell: number): readonly number[] {
  const [above, below] = [cell - CELLS, cell + CELLS];
  return [above - 1, above, above + 1, cell - 1, cell, cell + 1, below - 1, below, below + 1];
}

/** Numbers in a sketch. */
export const SKETCH_LENGTH = 8;
/**
 * Numbers of a shape that each number of its sketch is the sum of. Two shapes are apart by at least the squares between their
 * sketches over this (Cauchy and Schwarz).
 */
const SUMMED = SHAPE_LENGTH / SKETCH_LENGTH;
/**
 * Writes the sketch of the shape that starts at `offset` to `sketches`: where it is, along and across, in the mean of each
 * quarter of its time. Shapes hold the points from the middle outwards, in turn before and after it.
 */
export function sketchInto(sketches: Int16Array, at: number, flat: Int8Array, offset: number): void {
  const first = at * SKETCH_LENGTH;
  sketches.fill(0, first, first + SKETCH_LENGTH);
  for (let i = 0; i < SHAPE_LENGTH; i++) {
    const isOuter = i >= SHAPE_LENGTH / 2;
    const place = first + (i & 3) + (isOuter ? 4 : 0);
    sketches[place] = (sketches[place] ?? 0) + (flat[offset + i] ?? 0);
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

/** Shapes that lie end to end, and their sketches, likewise. */
export type Shapes = { readonly flat: Int8Array; readonly sketches: Int16Array };

/** The nearest shape to one, so far. */
export type NearestSearch = {
  readonly shape: PathShape;
  readonly sketch: Int16Array;
  /** Sum of squares to the nearest that was found, or to the farthest that could be. */
  squares: number;
  isFound: boolean;
};

/** Begins a search for the nearest of the shapes that `lookAt` will be shown. */
export function searchNearest(shape: PathShape): NearestSearch {
  const sketch = new Int16Array(SKETCH_LENGTH);
  sketchInto(sketch, 0, shape, 0);
  return { shape, sketch, squares: REACH_SQUARES, isFound: false };
}

/** Holds the shape with that index against the nearest so far; what is farther by its first numbers is not asked about. */
function compare(search: NearestSearch, flat: Int8Array, index: number, isCounted: (index: number) => boolean): void {
  const { shape, squares } = search;
  const offset = index * SHAPE_LENGTH;
  const atFirst = squaresTo(shape, flat, offset, squares, 0, GLANCE);
  if (atFirst > squares || !isCounted(index)) return;
  const whole = atFirst + squaresTo(shape, flat, offset, squares - atFirst, GLANCE, SHAPE_LENGTH);
  if (whole > squares) return;
  search.squares = whole;
  search.isFound = true;
}

/**
 * Holds the shape with that index against the nearest so far, unless its sketch tells that it is farther: the nearer one was
 * found, the fewer of the rest are looked at. Those that `isCounted` refuses are left out.
 */
export function lookAt(
  search: NearestSearch,
  { flat, sketches }: Shapes,
  index: number,
  isCounted: (index: number) => boolean,
): void {
  if (isSketchBeyond(search.sketch, sketches, index * SKETCH_LENGTH, search.squares)) return;
  compare(search, flat, index, isCounted);
}

/** Distance (root mean square, in lines from start to end) of the nearest that was found; undefined if none is within SHAPE_REACH. */
export function distanceFound({ squares, isFound }: NearestSearch): number | undefined {
  return isFound ? Math.sqrt(squares / SHAPE_LENGTH) / UNITS_A_LINE : undefined;
}

/** `distanceFound` after a look at all shapes with these indices in `flat`, without their sketches. */
export function nearestDistance(
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  isCounted: (index: number) => boolean,
): number | undefined {
  const search = searchNearest(shape);
  for (const index of indices) compare(search, flat, index, isCounted);
  return distanceFound(search);
}

/**
 * How many networks drew those of the shapes with these indices in `flat` that lie within COMMON_REACH of this one; of a common path
 * no more than make it common. `networkAt` names whose a shape is, and is undefined where it does not count.
 */
export function countNetworksNear(
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  networkAt: (index: number) => number | undefined,
): number {
  const networks = new Set<number>();
  for (const index of indices) {
    if (squaresTo(shape, flat, index * SHAPE_LENGTH, COMMON_SQUARES, 0, SHAPE_LENGTH) > COMMON_SQUARES) continue;
    const network = networkAt(index);
    if (network !== undefined) networks.add(network);
    if (networks.size >= COMMON_NETWORKS) break;
  }
  return networks.size;
}
