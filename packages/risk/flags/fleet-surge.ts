import type { FlagRow } from "../flag-row.ts";

/**
 * With this many networks, and this many times the normal number, a single source is almost the
 * only cause.
 */
const CLEAR = { networks: 60, ratio: 20 };
/** The share of the weight that leads to asking for a click and no more. */
const LIKELY = 0.72;

/**
 * The visit looks or acts like far more visits to the site than normal, from many networks within a
 * short time: one program in many places. The comparison is with the site's own past, so a
 * newsletter or a school raises nothing. A new group of people who look alike (one kind of tablet
 * issued in many places) raises it; it never blocks alone.
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
