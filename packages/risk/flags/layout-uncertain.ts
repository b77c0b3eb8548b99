import type { FlagRow } from "../flag-row.ts";
import { isLayoutOdd, isLayoutWrong } from "../layout.ts";

/**
 * Some of what the browser laid out is not as its engine does it. A browser at an odd pixel ratio gets a read or two
 * wrong in 0 to 16 % of its visits, and as many as this takes in 0 to 0.2 %; a browser whose engine is not in the bank
 * in 0.1 to 2 % (decision 0127).
 */
export const layoutUncertain = {
  name: "layout_uncertain",
  group: "environment",
  label: "Part of the test pages is not laid out as browsers do it.",
  weight: 0.8,
  isShadowFor: ({ layout }) => layout?.isLive !== true,
  detect: ({ layout }) => layout !== undefined && !layout.isOld && isLayoutOdd(layout) && !isLayoutWrong(layout),
} satisfies FlagRow;
