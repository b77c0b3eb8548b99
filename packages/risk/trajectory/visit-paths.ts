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

/** The last MAX_PATHS paths of a visit that are long enough to be judged, the newest first; none for touch and keyboards. */
export function visitPaths(behaviour: BehaviourSignals): Path[] {
  const paths: Path[] = [];
  for (const segment of segmentsOf(behaviour).reverse()) {
    if (paths.length === MAX_PATHS) break;
    const path = preparePath(segment);
    if (path !== undefined) paths.push(path);
  }
  return paths;
}
