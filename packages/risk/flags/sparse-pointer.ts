import type { FlagRow } from "../flag-row.ts";
import { hopsOf } from "../hops.ts";

/** Of the weight, for one press alone. */
const ONE_HOP = 0.7;

/**
 * All that the mouse did in the visit was to hop: to a press in two or three moves, one of them far, with nothing between. So
 * do agents that are led by a model. Hands leave a move for each frame; where frames come slowly, each move says that it is made of
 * several: none of 9,952 recorded ways is a hop, on screens of 60 to 15 Hz or on busy pages. On a link to a far computer that
 * carries a move each 50 ms 0.2 % of ways are, each 100 ms 2 %, each 200 ms 25 %. So it asks nobody alone, and whoever once moves in
 * another way is not judged. Fingers, pens, keys and voices, which jump in one step or press at once, do not raise it. Present in part for one press,
 * wholly for two.
 */
export const sparsePointer = {
  name: "sparse_pointer",
  group: "input",
  label: "The mouse hopped to its clicks in a few far jumps.",
  weight: 2,
  grade: ({ mouse }) => {
    const hops = mouse === undefined ? 0 : hopsOf(mouse).length;
    return hops > 1 ? 1 : hops * ONE_HOP;
  },
} satisfies FlagRow;
