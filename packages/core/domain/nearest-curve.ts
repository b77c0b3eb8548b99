import { CURVE_LENGTH, CURVE_REACH, type Curve, UNITS_A_LINE } from "@stile/risk/trajectory/curve";

/** Bytes of a remembered curve. */
export const CURVE_BYTES: number = CURVE_LENGTH;

/** CURVE_REACH as a sum of squares, which is what the search compares. */
const REACH_SQUARES = CURVE_LENGTH * (CURVE_REACH * UNITS_A_LINE) ** 2;

/** Sum of squares between a curve and the one that starts at `offset`, or something above `limit` once it is above it. */
function squaresTo(curve: Curve, flat: Int8Array, offset: number, limit: number): number {
  let sum = 0;
  for (let i = 0; i < CURVE_LENGTH && sum <= limit; i++) {
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
    const squares = squaresTo(curve, flat, index * CURVE_LENGTH, nearest);
    if (squares > nearest || !isCounted(index)) continue;
    nearest = squares;
    isFound = true;
  }
  return isFound ? Math.sqrt(nearest / CURVE_LENGTH) / UNITS_A_LINE : undefined;
}
