import type { FlagRow } from "../flag-row.ts";

/**
 * A browser that can lay out the scenes sent back nothing of them. A page that hides the whole widget, or whose policy
 * forbids the frame, raises it too, and so does an extension that zooms or moves the document of each frame: such
 * visitors are asked for a click, and never blocked for it.
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
