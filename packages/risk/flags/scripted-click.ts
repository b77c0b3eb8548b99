import type { FlagRow } from "../flag-row.ts";
import type { MousePress } from "../mouse.ts";
import { didJump, isCentred, isShort } from "../press.ts";

const AT_ONCE_MS = 15;

const isAtOnce = (press: MousePress): boolean =>
  isShort(press) && press.down.atMs - press.arrival.atMs <= AT_ONCE_MS;

/**
 * On Linux the mouse jumped, and then either pressed within 15 ms and released within 12, or
 * pressed in the exact middle: a single command "click there". On Windows and macOS voice control
 * and remote help do the same, so only the small flags apply.
 */
export const scriptedClick = {
  name: "scripted_click",
  group: "input",
  label: "The mouse jumped, pressed and released all at once.",
  weight: 1.7,
  detect: ({ mouse }) => {
    if (mouse?.claim.platform !== "Linux") return false;
    return mouse.presses.some((press) => didJump(press) && (isAtOnce(press) || isCentred(press)));
  },
} satisfies FlagRow;
