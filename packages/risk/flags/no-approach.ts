import type { FlagRow } from "../flag-row.ts";
import { hopsOf } from "../hops.ts";
import type { MouseTrail } from "../mouse.ts";
import { didJump } from "../press.ts";

const hasJumped = (mouse: MouseTrail): boolean =>
  mouse.presses.some(didJump) || hopsOf(mouse).some(({ hasLeapt }) => hasLeapt);

/**
 * The mouse jumped to the place of the press in one step, or to where it began to hop there
 * (`sparse_pointer`). Hands draw a path. Remote control by touch, voice control and screen readers
 * do jump. A pointer that was there from the start is not scored.
 */
export const noApproach = {
  name: "no_approach",
  group: "input",
  label: "The mouse jumped to where it clicked.",
  weight: 0.7,
  detect: ({ mouse }) => mouse !== undefined && hasJumped(mouse),
} satisfies FlagRow;
