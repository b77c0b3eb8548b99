import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import { isMove } from "./mouse.ts";

/** A press that became a click, by any means. */
export type WidgetPress = {
  /** When it began, ms of the visit. */
  readonly fromMs: number;
  /** When it became a click. */
  readonly clickMs: number;
  /**
   * Where it was, CSS pixels: for a pointer where it went down, for a key the middle of the element
   * it pressed.
   */
  readonly x: number;
  readonly y: number;
};

/**
 * Presses of mouse, touch or pen that were released and became a click; the browser must trust all
 * three events.
 */
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
    return [down, up, click].every(({ isTrusted }) => isTrusted)
      ? [{ fromMs, clickMs: click.atMs, x, y }]
      : [];
  });
}

/**
 * How long after its key a click may come, ms: a busy page delays it, and Space waits for the key
 * to be released.
 */
const KEY_TO_CLICK_MS = 2_000;
/** Clocks of one browser may be rounded differently, ms. */
const ROUNDING_MS = 20;

/** The middle of the element clicked, if the page reported it; else the position of the click. */
function targetOf(click: ObservedPointer): { readonly x: number; readonly y: number } {
  return { x: click.x - (click.offsetX ?? 0), y: click.y - (click.offsetY ?? 0) };
}

/**
 * Clicks made by a key: Enter as it goes down, Space as it comes up; never a click without a key
 * before it. Keys and clicks are in order of time and are read once, since a visit may have
 * hundreds of both.
 */
export function keyPresses({ pointer, keys }: ObservedBehaviour): readonly WidgetPress[] {
  const presses: WidgetPress[] = [];
  let [at, latestMs, downMs] = [0, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const click of pointer) {
    if (click.kind !== "click" || click.type !== "unknown" || !click.isTrusted) continue;
    const clickMs = click.atMs;
    for (
      let key = keys[at];
      key !== undefined && key.atMs <= clickMs + ROUNDING_MS;
      key = keys[++at]
    ) {
      latestMs = key.atMs;
      if (key.isOn) downMs = latestMs;
    }
    const isOfKey =
      downMs >= 0 && downMs <= clickMs + ROUNDING_MS && clickMs - latestMs <= KEY_TO_CLICK_MS;
    if (isOfKey) presses.push({ fromMs: downMs, clickMs, ...targetOf(click) });
  }
  return presses;
}

/**
 * Borders, rounding, and the area next to the edge that a browser still counts for a finger, CSS
 * pixels.
 */
const MARGIN_PX = 8;

/**
 * Whether the press lies in the widget's box, which is measured at submission. A page scrolled
 * since then has moved the box up or down, so only the horizontal position can be checked.
 */
export function isOnWidget(press: WidgetPress, { box, scroll }: ObservedBehaviour): boolean {
  if (box === null) return false;
  const { left, top, width, height } = box;
  if (press.x < left - MARGIN_PX || press.x > left + width + MARGIN_PX) return false;
  return (
    (scroll.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) >= press.fromMs ||
    (press.y >= top - MARGIN_PX && press.y <= top + height + MARGIN_PX)
  );
}

/**
 * How long before the issue of its challenge an unasked press may lie, ms. Pressing an idle widget
 * makes it request a challenge; the widget retries a busy service for up to ten seconds, and asks
 * for another challenge if one was refused.
 */
export const UNASKED_LEAD_MS = 30_000;

/** Clocks that are blurred against fingerprinting run ahead by as much as a tenth of a second. */
export const AHEAD_MS = 1_000;

/**
 * Whether the press lies between the challenge, issued `elapsedMs` ago by the service's own clock,
 * or `leadMs` before it, and the submission of the visit.
 */
export function isInTime(
  press: WidgetPress,
  durationMs: number,
  elapsedMs: number,
  leadMs: number,
): boolean {
  return durationMs - press.fromMs <= elapsedMs + leadMs && press.clickMs <= durationMs + AHEAD_MS;
}
