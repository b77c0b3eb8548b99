import type { FlagRow } from "../flag-row.ts";
import { isMove, isUnscaled } from "../mouse.ts";

/**
 * Moves further apart may have others between them, in frames of other pages, that are not seen.
 */
const NEIGHBOUR_MS = 50;
const TOLERANCE_PX = 2;
const MIN_MISMATCHES = 6;

/**
 * For most of the moves, the reported movement (`movementX`, `movementY`) is not the distance
 * between the positions: synthetic events. A single such move means nothing. Zoomed pages and
 * scaled frames are not scored.
 */
export const movementMismatch = {
  name: "movement_mismatch",
  group: "input",
  label: "The mouse's movements do not match its positions.",
  weight: 1,
  detect: ({ mouse }) => {
    if (mouse === undefined || !isUnscaled(mouse.environment) || mouse.claim.engine !== "chromium")
      return false;
    const moves = mouse.samples.filter(isMove);
    let pairs = 0;
    let mismatches = 0;
    moves.forEach((move, at) => {
      const before = moves[at - 1];
      const { movedX, movedY } = move;
      if (before === undefined || movedX === undefined || movedY === undefined) return;
      if (move.atMs - before.atMs > NEIGHBOUR_MS) return;
      pairs++;
      const isOff =
        Math.abs(move.x - before.x - movedX) > TOLERANCE_PX ||
        Math.abs(move.y - before.y - movedY) > TOLERANCE_PX;
      if (isOff) mismatches++;
    });
    return mismatches >= MIN_MISMATCHES && mismatches * 2 > pairs;
  },
} satisfies FlagRow;
