import type { ObservedBehaviour, ObservedPointer } from "@stile/protocol/observed-signals";
import { type Path, toPath } from "./segment.ts";

/**
 * How many of a visit's last paths are scored. The path to the press on the widget is one of them.
 */
export const MAX_PATHS = 5;

/** Devices that hover approach what they press; fingers, keys and assistive technology don't. */
const isHovering = ({ type }: ObservedPointer): boolean => type === "mouse" || type === "pen";

type Approach = { readonly moves: readonly ObservedPointer[]; readonly pressMs: number };

/**
 * The approaches to the presses of a visit, trusted or not: the moves of mouse or pen since the
 * release before; a drag is no approach. A click ends an approach too: scripts dispatch clicks
 * without a press; after a real press nothing is left before it.
 */
function approachesOf({ pointer }: ObservedBehaviour): Approach[] {
  const approaches: Approach[] = [];
  let moves: ObservedPointer[] = [];
  for (const sample of pointer) {
    if (!isHovering(sample)) continue;
    if (sample.kind === "move") {
      moves.push(sample);
      continue;
    }
    if (sample.kind === "down" || sample.kind === "click")
      approaches.push({ moves, pressMs: sample.atMs });
    moves = [];
  }
  return approaches;
}

/**
 * A path with fewer samples and a hole is a busy browser's remainder of a longer one: too little to
 * score.
 */
const WHOLE_SAMPLES = 16;
/** A hole: this far from one move to the next, after this long. */
const HOLE_MS = 100;
const HOLE_PX = 40;

function isPatchy({ t, x, y }: Path): boolean {
  if (t.length >= WHOLE_SAMPLES) return false;
  for (let i = 1; i < t.length; i++) {
    const gap = (t[i] ?? 0) - (t[i - 1] ?? 0);
    const way = Math.hypot((x[i] ?? 0) - (x[i - 1] ?? 0), (y[i] ?? 0) - (y[i - 1] ?? 0));
    if (gap >= HOLE_MS && way >= HOLE_PX) return true;
  }
  return false;
}

/**
 * The paths of a visit that are whole and long enough to be scored, the newest first; none for
 * touch and keyboards.
 */
export function* wholePaths(behaviour: ObservedBehaviour): Generator<Path> {
  for (const { moves, pressMs } of approachesOf(behaviour).reverse()) {
    const path = toPath(moves, pressMs);
    if (path !== undefined && !isPatchy(path)) yield path;
  }
}

/**
 * The last MAX_PATHS whole paths that are wanted. Unwanted ones take no place: otherwise a few
 * short moves at the end would hide earlier paths.
 */
export function visitPaths(
  behaviour: ObservedBehaviour,
  isWanted: (path: Path) => boolean = () => true,
): Path[] {
  const paths: Path[] = [];
  for (const path of wholePaths(behaviour)) {
    if (isWanted(path)) paths.push(path);
    if (paths.length === MAX_PATHS) break;
  }
  return paths;
}
