import type { FlagRow } from "../flag-row.ts";

/**
 * The scenes were laid out as an engine other than the claimed browser's does it: the two engines differ in at least
 * four of the reads, and at least three more of these match the other engine than the claimed one. Three scenes have
 * that many such reads in one visit of 120, and of Chromium releases from 109 on one visit in 30,000 raised it (decision
 * 0127).
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
