import type { FlagRow } from "../flag-row.ts";
import { isLayoutWrong } from "../layout.ts";

/**
 * What came back is not what a rendering engine makes of the scenes: no browser laid them out. Guesses are right in 4
 * to 11 of 100 reads, a layout library with its own cascade in 65, browsers in 98 and more (decision 0045). Styles
 * that an extension adds to all documents change nothing (decision 0127); a user's own style sheets apply in the frame
 * too, and their effect was not measured.
 */
export const layoutWrong = {
  name: "layout_wrong",
  group: "environment",
  label: "No browser laid out the test pages.",
  weight: 3.6,
  floor: 0.6,
  isShadowFor: ({ layout }) => layout?.isLive !== true,
  detect: ({ layout }) => layout !== undefined && !layout.isOld && isLayoutWrong(layout),
} satisfies FlagRow;
