import type { FlagRow } from "../flag-row.ts";

/**
 * The scenes were laid out as another engine does it than the claimed browser's: at least four reads on which the two differ, and
 * three more of them as the other. Three scenes have so many in one visit of 25; no honest visit of 20,000 raised it (decision 0045).
 */
export const layoutEngineMismatch = {
  name: "layout_engine_mismatch",
  group: "environment",
  label: "Another engine than the claimed one laid out the test pages.",
  weight: 3.6,
  floor: 0.6,
  isShadowFor: ({ layout }) => layout?.isLive !== true,
  detect: ({ layout }) => layout?.isOtherEngine === true,
} satisfies FlagRow;
