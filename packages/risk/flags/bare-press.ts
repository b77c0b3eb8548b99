import type { ObservedPointer } from "@stile/protocol/observed-signals";
import type { FlagRow } from "../flag-row.ts";
import { isMove, isSamePlace, type MouseTrail } from "../mouse.ts";
import { isCentred } from "../press.ts";
import type { Platform } from "../user-agent.ts";

/** Systems whose screen readers and voice control press like a mouse without moving it. */
const WITH_AIDS: readonly Platform[] = ["Windows", "macOS", "Chrome OS"];

/** A visit with this many bare presses is not excused, whatever made them. */
const MANY = 3;

/**
 * With fewer moves than this the page has forgotten none. With more, the moves before an early
 * press may be missing.
 */
const FORGOTTEN_FROM = 96;

/** Share of the weight for a single press that only a mouse or a program makes. */
const ONE_PRESS = 0.6;

type BarePress = {
  readonly down: ObservedPointer;
  /** Whether nothing was seen of the mouse before: it may have rested there when the page came up. */
  readonly isFirst: boolean;
};

function barePressesOf({ samples }: MouseTrail): BarePress[] {
  const moves = samples.filter(isMove);
  const sinceMs = moves.length < FORGOTTEN_FROM ? 0 : (moves[0]?.atMs ?? 0);
  return samples.flatMap((down, at) => {
    if (down.kind !== "down" || down.atMs < sinceMs) return [];
    const before = samples[at - 1];
    return before !== undefined && isSamePlace(before, down)
      ? []
      : [{ down, isFirst: before === undefined }];
  });
}

/** Whether no assistive technology makes such a press on that system. */
function isMarked({ down, isFirst }: BarePress, platform: Platform): boolean {
  if (isCentred({ down })) return true;
  if (down.pressure > 0) return !isFirst;
  return !WITH_AIDS.includes(platform);
}

/**
 * The mouse pressed where it had never been: no move led there. Commands of a debugging protocol do
 * that. Screen readers and voice control on Windows, macOS and Chrome OS do it too, without
 * pressure: one or two such presses are excused, unless they hit the exact middle of the target. A
 * mouse that rested where the page came up may press once. Firefox on a computer with a touchscreen
 * raises it if it calls fingers a mouse.
 */
export const barePress = {
  name: "bare_press",
  group: "input",
  label: "The mouse pressed without moving there first.",
  weight: 2.3,
  grade: ({ mouse }) => {
    if (mouse === undefined) return 0;
    const { engine, isDesktop, platform } = mouse.claim;
    if (engine === "firefox" && !isDesktop) return 0;
    const presses = barePressesOf(mouse);
    const marked = presses.filter((press) => isMarked(press, platform));
    if (presses.length >= MANY || marked.length > 1 || marked.some(isCentred)) return 1;
    return marked.length * ONE_PRESS;
  },
} satisfies FlagRow;
