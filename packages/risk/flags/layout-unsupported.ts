import type { FlagRow } from "../flag-row.ts";
import { isLayoutOdd } from "../layout.ts";

/**
 * The claimed browser is too old for the scenes, and has not laid them out. People have old browsers too: it asks for a
 * click, after a few visits a minute of the network, and of the site, that are free (decision 0120).
 */
export const layoutUnsupported = {
  name: "layout_unsupported",
  group: "environment",
  label: "Claims a browser too old to lay out the test pages.",
  weight: 2.1,
  floor: 0.3,
  isShadowFor: ({ layout }) => layout?.isLive !== true,
  detect: ({ layout }) => layout?.isOld === true && (layout.share === undefined || isLayoutOdd(layout)),
} satisfies FlagRow;
