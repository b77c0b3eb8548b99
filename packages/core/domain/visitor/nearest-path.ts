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

/**
 * Distance (root mean square, in lines from start to end) of a shape from the nearest of `count` shapes that lie end to end
 * in `flat`, leaving out those that `isCounted` refuses; undefined if none is within SHAPE_REACH.
 */
export function nearestDistance(
  shape: PathShape,
  flat: Int8Array,
  count: number,
  isCounted: (index: number) => boolean,
): number | undefined {
  let nearest = REACH_SQUARES;
  let isFound = false;
  for (let index = 0; index < count; index++) {
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
