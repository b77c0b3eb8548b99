import { CURVE_LENGTH, CURVE_REACH, type Curve, UNITS_A_LINE } from "@stile/risk/trajectory/curve";

/** Bytes of a remembered curve. */
export const CURVE_BYTES: number = CURVE_LENGTH;

/** CURVE_REACH as a sum of squares, which is what the search compares. */
const REACH_SQUARES = CURVE_LENGTH * (CURVE_REACH * UNITS_A_LINE) ** 2;

/** So many numbers tell most curves apart; what is near by then is asked about before the rest is compared. */
const GLANCE = 8;

/** Sum of squares of [from, to) between a curve and the one that starts at `offset`; once above `limit`, no further. */
function squaresTo(curve: Curve, flat: Int8Array, offset: number, limit: number, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to && sum <= limit; i++) {
    const difference = (curve[i] ?? 0) - (flat[offset + i] ?? 0);
    sum += difference * difference;
  }
  return sum;
}

/**
 * Distance (root mean square, in lines from start to end) of a curve from the nearest of `count` curves that lie end to end
 * in `flat`, leaving out those that `isCounted` refuses; undefined if none is within CURVE_REACH.
 */
export function nearestDistance(
  curve: Curve,
  flat: Int8Array,
  count: number,
  isCounted: (index: number) => boolean,
): number | undefined {
  let nearest = REACH_SQUARES;
  let isFound = false;
  for (let index = 0; index < count; index++) {
    const offset = index * CURVE_LENGTH;
    const atFirst = squaresTo(curve, flat, offset, nearest, 0, GLANCE);
    if (atFirst > nearest || !isCounted(index)) continue;
    const squares = atFirst + squaresTo(curve, flat, offset, nearest - atFirst, GLANCE, CURVE_LENGTH);
    if (squares > nearest) continue;
    nearest = squares;
    isFound = true;
    if (nearest === 0) break;
  }
  return isFound ? Math.sqrt(nearest / CURVE_LENGTH) / UNITS_A_LINE : undefined;
}
