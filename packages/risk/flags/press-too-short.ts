import type { FlagRow } from "../flag-row.ts";
import { isShort } from "../press.ts";

/**
 * A mouse button was held for less than 12 ms (drivers: 0 to 9; people's tenth percentile is 55).
 * One of 61 recorded people did so half of the time, by tapping on a touchpad.
 */
export const pressTooShort = {
  name: "press_too_short",
  group: "input",
  label: "A mouse button was pressed for too short a time.",
  weight: 0.6,
  detect: ({ mouse }) => mouse?.presses.some(isShort) ?? false,
} satisfies FlagRow;
