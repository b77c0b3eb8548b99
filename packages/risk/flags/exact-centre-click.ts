import type { FlagRow } from "../flag-row.ts";
import { isCentred } from "../press.ts";

/**
 * The press hit the exact middle of its target, as drivers aim (74 of 113 sessions). A hand hits it
 * once in some hundred presses, less often on larger buttons.
 */
export const exactCentreClick = {
  name: "exact_centre_click",
  group: "input",
  label: "The click hit the exact centre.",
  weight: 0.3,
  detect: ({ mouse }) => mouse?.presses.some(isCentred) ?? false,
} satisfies FlagRow;
