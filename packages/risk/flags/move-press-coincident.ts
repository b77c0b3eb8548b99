import type { FlagRow } from "../flag-row.ts";

const COINCIDENT_MS = 1;

/**
 * The press came within a millisecond of the last move. Hands rest first (median 62 ms), but 4% of
 * recorded presses did so, since mice jerk.
 */
export const movePressCoincident = {
  name: "move_press_coincident",
  group: "input",
  label: "The press came at the same moment as the last movement.",
  weight: 0.3,
  detect: ({ mouse }) =>
    mouse?.presses.some(({ down, arrival }) => down.atMs - arrival.atMs <= COINCIDENT_MS) ?? false,
} satisfies FlagRow;
