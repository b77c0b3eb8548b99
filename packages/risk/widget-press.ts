import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import { isMove } from "./mouse.ts";

/** A press that became a click, by whatever it was made. */
export type WidgetPress = {
  /** When it began, ms of the visit. */
  readonly fromMs: number;
  /** When it became a click. */
  readonly clickMs: number;
  /** Where, CSS pixels: of a pointer where it went down, of a key the middle of what it worked. */
  readonly x: number;
  readonly y: number;
};

/** Presses of mouse, touch or pen that were let go again and became a click; the browser trusts all three. */
export function pointerPresses({ pointer }: ObservedBehaviour): readonly WidgetPress[] {
  const samples = pointer.filter((sample) => !isMove(sample));
  return samples.flatMap((down, at): WidgetPress[] => {
    // Some browsers give the click the time of the release, or one just before it.
    const after = samples.slice(at + 1, at + 3);
    const up = after.find(({ kind, type }) => kind === "up" && type === down.type);
    const click = after.find(({ kind }) => kind === "click");
    const isPointer = down.kind === "down" && down.type !== "unknown";
    if (!isPointer || up === undefined || click === undefined) return [];
    const { atMs: fromMs, x, y } = down;
    return [down, up, click].every(({ isTrusted }) => isTrusted) ? [{ fromMs, clickMs: click.atMs, x, y }] : [];
  });
}

/** How long after its key a click may come: a page that is busy makes it late, and Space waits for the key to be let go. */
const KEY_TO_CLICK_MS = 2_000;
/** Clocks of one browser that are rounded apart. */
const ROUNDING_MS = 20;

/** The middle of what was clicked, where the page told; else where the click says that it was. */
function targetOf({ x, y, offsetX = 0, offsetY = 0 }: ObservedPointer): { readonly x: number; readonly y: number } {
  return { x: x - offsetX, y: y - offsetY };
}

/**
 * Clicks that a key made: Enter as it goes down, Space as it comes up. A click without any key before it is not among them. Keys and
 * clicks come in the order of time, and are gone through once: a visit may hold hundreds of both.
 */
export function keyPresses({ pointer, keys }: ObservedBehaviour): readonly WidgetPress[] {
  const presses: WidgetPress[] = [];
  let [at, latestMs, downMs] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const click of pointer) {
    if (click.kind !== "click" || click.type !== "unknown" || !click.isTrusted) continue;
    const clickMs = click.atMs;
    for (let key = keys[at]; key !== undefined && key.atMs <= clickMs + ROUNDING_MS; key = keys[++at]) {
      latestMs = key.atMs;
      if (key.isOn) downMs = latestMs;
    }
    const isOfKey = downMs >= 0 && downMs <= clickMs + ROUNDING_MS && clickMs - latestMs <= KEY_TO_CLICK_MS;
    if (isOfKey) presses.push({ fromMs: downMs, clickMs, ...targetOf(click) });
  }
  return presses;
}

/** Borders, rounding, and what a browser still counts of a finger beside the edge, CSS pixels. */
const MARGIN_PX = 8;

/**
 * Whether the press lies in the widget's box, which is measured when the visit is handed in. A page that was scrolled since
 * has carried the box up or down, and tells no more than from left to right.
 */
export function isOnWidget({ x, y, fromMs }: WidgetPress, { box, scroll }: ObservedBehaviour): boolean {
  if (box === null) return false;
  const { left, top, width, height } = box;
  if (x < left - MARGIN_PX || x > left + width + MARGIN_PX) return false;
  return (
    (scroll.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= fromMs ||
    (y >= top - MARGIN_PX && y <= top + height + MARGIN_PX)
  );
}

/**
 * How long before its challenge's issue a press may lie that nobody asked for, ms: whoever presses an idle widget sends for a
 * challenge by that, and the widget asks a busy service again for up to ten seconds, and for another challenge where one was
 * refused.
 */
export const UNASKED_LEAD_MS = 30_000;

/** Clocks that are blurred against fingerprinting run ahead of themselves by as much as a tenth of a second. */
export const AHEAD_MS = 1_000;

/**
 * Whether the press lies between the challenge, issued `elapsedMs` ago by the service's own clock, or `leadMs` before it, and
 * the moment at which it was handed in.
 */
export function isInTime(press: WidgetPress, durationMs: number, elapsedMs: number, leadMs: number): boolean {
  return durationMs - press.fromMs <= elapsedMs + leadMs && press.clickMs <= durationMs + AHEAD_MS;
}
