import { type PathShape, SHAPE_LENGTH, SHAPE_REACH, UNITS_A_LINE } from "@stile/risk/trajectory/path-shape";

/** Bytes of a remembered shape. */
export const SHAPE_BYTES: number = SHAPE_LENGTH;

/** SHAPE_REACH as a sum of squares, which is what the search compares. */
const REACH_SQUARES = SHAPE_LENGTH * (SHAPE_REACH * UNITS_A_LINE) ** 2;

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
const CELL_WIDTH = Math.sqrt(REACH_SQUARES);
const WEIGHT = 1 / Math.sqrt(SHAPE_LENGTH / 2);

/**
 * The cell of the shape that starts at `offset`: by how much it runs ahead of its time along the line in all, and how far it
 * strays to one side. Shapes within SHAPE_REACH of each other are in one cell or in neighbouring ones, so a search need look
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

/**
 * Distance (root mean square, in lines from start to end) of a shape from the nearest of those with these indices in `flat`, in
 * which shapes lie end to end, leaving out those that `isCounted` refuses; undefined if none is within SHAPE_REACH.
 */
export function nearestDistance(
  shape: PathShape,
  flat: Int8Array,
  indices: Iterable<number>,
  isCounted: (index: number) => boolean,
): number | undefined {
  let nearest = REACH_SQUARES;
  let isFound = false;
  for (const index of indices) {
    const offset = index * SHAPE_LENGTH;
    const atFirst = squaresTo(shape, flat, offset, nearest, 0, GLANCE);
    if (atFirst > nearest || !isCounted(index)) continue;
    const squares = atFirst + squaresTo(shape, flat, offset, nearest - atFirst, GLANCE, SHAPE_LENGTH);
    if (squares > nearest) continue;
    nearest = squares;
    isFound = true;
    if (nearest === 0) break;
  }
  return isFound ? Math.sqrt(nearest / SHAPE_LENGTH) / UNITS_A_LINE : undefined;
}
