import type { Place } from "./trajectory/segment.ts";

/**
 * Moves on a line are at most this far from where even steps would put them, CSS pixels: all places
 * are rounded.
 */
const ROUNDING_PX = 1.5;

/**
 * Whether the moves lie on a straight line in even steps, as a loop puts them; one or two moves
 * always do. Half a second of people's movements does so in 2 of 1,000 cases at normal rates, in 9
 * at 15 moves a second (decision 0029, a press).
 */
export function isRuled(moves: readonly Place[]): boolean {
  const [first, last] = [moves[0], moves.at(-1)];
  if (first === undefined || last === undefined) return true;
  const steps = Math.max(1, moves.length - 1);
  const [dx, dy] = [(last.x - first.x) / steps, (last.y - first.y) / steps];
  return moves.every(
    ({ x, y }, at) => Math.hypot(x - first.x - at * dx, y - first.y - at * dy) <= ROUNDING_PX,
  );
}
