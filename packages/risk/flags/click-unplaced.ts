import { LEAST_WATCHED_MS } from "@stile/protocol/limits";
import { knownBehaviour } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isInTime, isOnWidget, pointerPresses, UNASKED_LEAD_MS } from "../widget-press.ts";
import { isWatchedLongEnough } from "../witness.ts";

/**
 * The site asks everybody for a click, but no pointer was pressed on the widget and released after
 * the challenge was issued; or the click was submitted sooner than any widget does it. Keyboards,
 * switches and some screen readers and voice controls click so. It never blocks alone, and the
 * site's server decides (docs/reference/signals.md).
 */
export const clickUnplaced = {
  name: "click_unplaced",
  group: "input",
  label: "The required click came by keyboard, or was not on the widget.",
  weight: 0.3,
  floor: 0.3,
  detect: (evidence) => {
    const { solve } = evidence;
    const behaviour = knownBehaviour(evidence);
    if (solve?.asksEverybody !== true || behaviour === undefined) return false;
    if (!isWatchedLongEnough(solve, LEAST_WATCHED_MS)) return true;
    const { durationMs } = behaviour;
    return !pointerPresses(behaviour).some(
      (press) =>
        isOnWidget(press, behaviour) &&
        isInTime(press, durationMs, solve.elapsedMs, UNASKED_LEAD_MS),
    );
  },
} satisfies FlagRow;
