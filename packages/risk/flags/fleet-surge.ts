import type { FlagRow } from "../flag-row.ts";

/**
 * With this many networks, and this many times what is usual, there is hardly another cause than a
 * single source.
 */
const CLEAR = { networks: 60, ratio: 20 };
/** The share of the weight that leads to asking for a click and no more. */
const LIKELY = 0.72;

/**
 * The visit looks or acts like far more visits to the site than usual, from many networks and
 * within a short time: one program in many places. It is judged by the site's own past, so what is
 * usual there stays usual, and a browser's release, a newsletter or a school behind one address
 * raise nothing. A class of people that a site never had before, in great numbers and all alike,
 * would raise it (one kind of tablet handed out in many places): they are asked for a click, and
 * never blocked for it alone.
 */
export const fleetSurge = {
  name: "fleet_surge",
  group: "history",
  label: "Many visits from many networks look the same, far more than usual.",
  weight: 3,
  grade: ({ history }) => {
    if (history?.surge === undefined) return 0;
    const { networks, expected } = history.surge;
    return networks >= CLEAR.networks && networks >= CLEAR.ratio * expected ? 1 : LIKELY;
  },
} satisfies FlagRow;
