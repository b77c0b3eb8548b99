import type { FlagRow } from "../flag-row.ts";
import { hopsOf } from "../hops.ts";

/** Share of the weight for a single press, unless one jump led to it. */
const ONE_HOP = 0.7;

/**
 * In the whole visit the mouse only hopped: to each press in up to three moves, one of them far,
 * with nothing between. Agents led by a model do so; hands leave a move for each frame (of 9,952
 * recorded paths none is a hop). Over a link to a remote computer that sends a move every 50 ms,
 * 0.2% of paths are hops, every 200 ms 25%. A visitor who moves differently even once is not
 * scored, nor are fingers, pens, keys and voice control. Partly present for one press in two or
 * three moves, fully for two presses.
 */
export const sparsePointer = {
  name: "sparse_pointer",
  group: "input",
  label: "The mouse reached its clicks in a few long jumps.",
  weight: 2,
  grade: ({ mouse }) => {
    const hops = mouse === undefined ? [] : hopsOf(mouse);
    const isClear = hops.some(({ isJump, hasLeapt }) => hasLeapt || !isJump);
    if (hops.length > 1 && isClear) return 1;
    return hops.some(({ isJump }) => !isJump) ? ONE_HOP : 0;
  },
} satisfies FlagRow;
