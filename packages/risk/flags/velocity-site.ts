import type { FlagRow } from "../flag-row.ts";

/** From this ratio of a site's rate to its baseline on, it counts as a rush. */
const RUSH_RATIO = 5;

/** The site is visited far more than normal. A sale does that too, and it affects everybody. */
export const velocitySite = {
  name: "velocity_site",
  group: "history",
  label: "Many more attempts on this site than usual.",
  weight: 0.5,
  detect: (evidence) => (evidence.velocity?.siteRatio ?? 0) >= RUSH_RATIO,
} satisfies FlagRow;
