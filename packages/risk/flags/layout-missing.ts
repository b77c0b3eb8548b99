import type { FlagRow } from "../flag-row.ts";

/**
 * Nothing came back of the scenes, by a browser that can lay them out. A page that hides the whole widget, and one whose policy
 * forbids the frame, raise it too: their visitors are asked for a click, and never blocked for it.
 */
export const layoutMissing = {
  name: "layout_missing",
  group: "environment",
  label: "The browser did not lay out the test pages.",
  weight: 2.1,
  floor: 0.3,
  isShadowFor: ({ layout }) => layout?.isLive !== true,
  detect: ({ layout }) => layout !== undefined && !layout.isOld && layout.share === undefined,
} satisfies FlagRow;
