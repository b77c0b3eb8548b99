import type { ObservedPointer } from "@stile/protocol/observed-signals";
import type { MousePress } from "./mouse.ts";

/** A press shorter than this, in ms, is a driver's or a tap on a touchpad. */
export const SHORT_MS = 12;

/** Whether the button was hardly held; an unknown time is not short. */
export const isShort = ({ dwellMs }: MousePress): boolean =>
  dwellMs !== undefined && dwellMs < SHORT_MS;

const JUMP_PX = 50;
/** A move this long after the one before is a movement of its own, ms. */
const ALONE_MS = 100;
/** A busy page merges many moves into one, and reports how many. */
const MAX_COALESCED = 2;

/** Whether a single move brought the mouse from far away; `before` is the sample before it. */
export function isLeap(move: ObservedPointer, before: ObservedPointer | undefined): boolean {
  const { movedX = 0, movedY = 0, coalesced = 1 } = move;
  if (coalesced > MAX_COALESCED) return false;
  if (before !== undefined && move.atMs - before.atMs < ALONE_MS) return false;
  const fromBefore = before === undefined ? 0 : Math.hypot(move.x - before.x, move.y - before.y);
  return Math.max(Math.hypot(movedX, movedY), fromBefore) >= JUMP_PX;
}

/** Whether a single move, from far away, was all that led to the press. */
export const didJump = ({ arrival, before }: MousePress): boolean => isLeap(arrival, before);

const CENTRE_PX = 0.51;

/** Whether the press hit the exact middle of its target; false if the middle is not known. */
export const isCentred = ({ down: { offsetX, offsetY } }: Pick<MousePress, "down">): boolean =>
  offsetX !== undefined &&
  offsetY !== undefined &&
  Math.abs(offsetX) <= CENTRE_PX &&
  Math.abs(offsetY) <= CENTRE_PX;
