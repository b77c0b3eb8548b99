import type { ObservedPointer } from "@stile/protocol/observed-signals";
import { didArrive, isMove, type MouseTrail } from "./mouse.ts";
import { isLeap, SHORT_MS } from "./press.ts";

/**
 * Moves without a press or a rest between them, the sample right before, and the two right after:
 * perhaps a press.
 */
type Movement = {
  readonly moves: readonly ObservedPointer[];
  readonly before: ObservedPointer | undefined;
  readonly down: ObservedPointer | undefined;
  readonly up: ObservedPointer | undefined;
};

/** A press that the mouse hopped to. */
export type Hop = {
  /** Whether one far move was all that led to the press. */
  readonly isJump: boolean;
  /** Whether the mouse also leapt to where the hop began. */
  readonly hasLeapt: boolean;
};

/** A move after this long begins a new movement, ms: agents look between their hops. */
const REST_MS = 2_000;

function movementsOf(samples: readonly ObservedPointer[]): Movement[] {
  const movements: Movement[] = [];
  let from = 0;
  samples.forEach((sample, at) => {
    if (!isMove(sample)) {
      from = at + 1;
      return;
    }
    const after = samples[at + 1];
    if (after !== undefined && isMove(after) && after.atMs - sample.atMs <= REST_MS) return;
    movements.push({
      moves: samples.slice(from, at + 1),
      before: samples[from - 1],
      down: after,
      up: samples[at + 2],
    });
    from = at + 1;
  });
  return movements;
}

/**
 * With a mouse, hands leave more moves than this in everything they do, unless several were merged
 * into one.
 */
const MOST_MOVES = 3;

const isBare = ({ moves }: Movement): boolean =>
  moves.length <= MOST_MOVES && moves.every(({ coalesced }) => coalesced === 1);

/**
 * A step this long, px, this share of the path, and slower than two frames, ms: the moves in
 * between were left out.
 */
const FAR_PX = 40;
const FAR_SHARE = 0.3;
const FAR_MS = 35;

function hasFarStep({ moves }: Movement): boolean {
  let [farthest, way] = [0, 0];
  moves.forEach(({ atMs, x, y }, at) => {
    const from = moves[at - 1];
    if (from === undefined) return;
    const step = Math.hypot(x - from.x, y - from.y);
    way += step;
    if (atMs - from.atMs >= FAR_MS) farthest = Math.max(farthest, step);
  });
  return farthest >= FAR_PX && farthest >= FAR_SHARE * way;
}

/**
 * False for a press released at once: voice control over a grid presses like that, and other flags
 * cover it.
 */
const isHeld = (down: ObservedPointer, up: ObservedPointer | undefined): boolean =>
  up?.kind !== "up" || up.atMs - down.atMs >= SHORT_MS;

/**
 * A move of at least this many px is a jump. The fields of a form are closer together than a leap,
 * so leaps alone would miss a pointer that jumps between them.
 */
const JUMP_PX = 20;

function isJumpTo(move: ObservedPointer, before: ObservedPointer | undefined): boolean {
  const { movedX = 0, movedY = 0 } = move;
  const fromBefore = before === undefined ? 0 : Math.hypot(move.x - before.x, move.y - before.y);
  return Math.max(Math.hypot(movedX, movedY), fromBefore) >= JUMP_PX;
}

function toHop(movement: Movement): Hop[] {
  const { moves, before, down, up } = movement;
  const [first, second] = moves;
  if (first === undefined || down?.kind !== "down") return [];
  if (!didArrive(down, moves.at(-1)) || !isHeld(down, up)) return [];
  const hasLeapt = isLeap(first, before);
  const isJump = second === undefined;
  const isHop = isJump ? isJumpTo(first, before) : hasFarStep(movement);
  return isHop ? [{ isJump, hasLeapt }] : [];
}

/**
 * The presses of a visit that the mouse hopped to: in up to three moves, one of them far, with
 * nothing between. None if the mouse ever moved differently, or if moves were merged or may have
 * been: a busy page leaves out the moves in between and reports it.
 */
export function hopsOf({ samples }: Pick<MouseTrail, "samples">): readonly Hop[] {
  const movements = movementsOf(samples);
  if (!movements.every(isBare)) return [];
  return movements.flatMap(toHop);
}
