import type { FlagRow } from "../flag-row.ts";
import { didJump } from "../press.ts";

/**
 * The mouse jumped to the place of the press in one step. Hands draw a path; page, frame borders and late scripts cut
 * paths short, but leave more than one move. Remote control by touch, voice control and pointing by a screen reader
 * jump, so the weight is small, and a pointer that was there all the time is not judged.
 */
export const noApproach = {
  name: "no_approach",
  group: "input",
  label: "The mouse came to the press in one jump.",
  weight: 0.7,
  detect: ({ mouse }) => mouse?.presses.some(didJump) ?? false,
} satisfies FlagRow;
