import { type BehaviourSignals, POINTER_KINDS, POINTER_TYPES } from "@stile/protocol/signals";
import { type Path, preparePath, type Segment } from "./segment.ts";

const MOVE = POINTER_KINDS.indexOf("move");
const DOWN = POINTER_KINDS.indexOf("down");
const CLICK = POINTER_KINDS.indexOf("click");
/** Devices that hover, so that a press has an approach; fingers, keys and assistive technology have none. */
const HOVERING = [POINTER_TYPES.indexOf("mouse"), POINTER_TYPES.indexOf("pen")];

/** Paths of a visit that are judged, the last ones: the press that answers the widget is among them. */
const MAX_PATHS = 5;

/**
 * The approaches to the presses of a visit, trusted or not: the moves of mouse or pen since the release before; a drag is
 * no approach. A click ends one too: scripts dispatch it without a press, and after a press nothing is left before it.
 */
function segmentsOf({ pointer }: BehaviourSignals): Segment[] {
  const segments: Segment[] = [];
  let moves: Segment[number][] = [];
  for (const [ms, x, y, kind, type] of pointer) {
    if (!HOVERING.includes(type)) continue;
    if (kind === MOVE) {
      moves.push([ms, x, y, "m"]);
      continue;
    }
    if (kind === DOWN || kind === CLICK) segments.push([...moves, [ms, x, y, "d"]]);
    moves = [];
  }
  return segments;
}

/** A path of fewer samples that has a hole is what a busy browser passed on of another: too little to judge. */
const WHOLE_SAMPLES = 16;
/** A hole: so far from one move to the next, after so long. */
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
 * The last MAX_PATHS paths of a visit that are whole and long enough to be judged, the newest first; none for touch and
 * keyboards.
 */
export function visitPaths(behaviour: BehaviourSignals): Path[] {
  const paths: Path[] = [];
  for (const segment of segmentsOf(behaviour).reverse()) {
    if (paths.length === MAX_PATHS) break;
    const path = preparePath(segment);
    if (path !== undefined && !isPatchy(path)) paths.push(path);
  }
  return paths;
}
