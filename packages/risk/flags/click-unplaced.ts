import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import { knownBehaviour, type SolveEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { isMove } from "../mouse.ts";

/** A pointer's press that was let go and became a click. */
type Press = { readonly down: ObservedPointer; readonly click: ObservedPointer };

function pressesOf({ pointer }: ObservedBehaviour): readonly Press[] {
  const samples = pointer.filter((sample) => !isMove(sample));
  return samples.flatMap((down, at): Press[] => {
    // Some browsers give the click the time of the release, or one just before it.
    const after = samples.slice(at + 1, at + 3);
    const up = after.find(({ kind, type }) => kind === "up" && type === down.type);
    const click = after.find(({ kind }) => kind === "click");
    const isPointer = down.kind === "down" && down.type !== "unknown";
    if (!isPointer || up === undefined || click === undefined) return [];
    return [down, up, click].every(({ isTrusted }) => isTrusted) ? [{ down, click }] : [];
  });
}

/** Borders, rounding, and what a browser still counts of a finger beside the edge, CSS pixels. */
const MARGIN_PX = 8;

/**
 * Whether the press lies in the widget's box, which is measured when the visit is handed in. A page that was scrolled since
 * has carried the box up or down, and tells no more than from left to right.
 */
function isOnWidget({ down }: Press, { box, scroll }: ObservedBehaviour): boolean {
  if (box === null) return false;
  const { left, top, width, height } = box;
  const { x, y } = down;
  if (x < left - MARGIN_PX || x > left + width + MARGIN_PX) return false;
  return scroll.some(({ atMs }) => atMs >= down.atMs) || (y >= top - MARGIN_PX && y <= top + height + MARGIN_PX);
}

/**
 * How long before its challenge's issue a press may lie: whoever presses an idle widget sends for a challenge by that, and
 * the widget asks a busy service again for up to ten seconds, and for another challenge where one was refused.
 */
const LEAD_MS = 30_000;

/** Clocks that are blurred against fingerprinting run ahead of themselves by as much as a tenth of a second. */
const AHEAD_MS = 1_000;

/** Whether the press lies between the challenge, by the service's own clock, and the moment at which it was handed in. */
function isInTime({ down, click }: Press, { durationMs }: ObservedBehaviour, { elapsedMs }: SolveEvidence): boolean {
  return durationMs - down.atMs <= elapsedMs + LEAD_MS && click.atMs <= durationMs + AHEAD_MS;
}

/**
 * On a site that asks everybody for a click, none of the clicks was a pointer's press on the widget, let go again, since its
 * challenge was given out. Keyboards, switches and some screen readers and voice controls click without any pointer, and a
 * script that only makes up key times does, too; nothing in a page tells them apart. So the flag never asks for more and never
 * blocks by itself: it lifts the score to 0.30, and the site's own server decides. What a press shows is self-asserted as
 * well (docs/reference/signals.md).
 */
export const clickUnplaced = {
  name: "click_unplaced",
  group: "input",
  label: "The click that everybody is asked for came by keyboard, or not as a press on the widget.",
  weight: 0.3,
  floor: 0.3,
  detect: (evidence) => {
    const { solve } = evidence;
    const behaviour = knownBehaviour(evidence);
    if (solve?.asksEverybody !== true || behaviour === undefined) return false;
    return !pressesOf(behaviour).some((press) => isOnWidget(press, behaviour) && isInTime(press, behaviour, solve));
  },
} satisfies FlagRow;
