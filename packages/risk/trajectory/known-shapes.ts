import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { isWithinSupport } from "./judge-visit.ts";
import { type KnownShape, toPathShape } from "./path-shape.ts";
import { MAX_PATHS, wholePaths } from "./visit-paths.ts";

/**
 * The shapes by which a visit can be known again: of its last MAX_PATHS paths that have one, and of those that the model judges. Else
 * presses behind a recorded path would hide it: with moves too short for a shape, or so slow that the model has nothing to say of them.
 */
export function knownShapes(behaviour: ObservedBehaviour): KnownShape[] {
  const shapes: KnownShape[] = [];
  let [placesLeft, judgedLeft] = [MAX_PATHS, MAX_PATHS];
  for (const path of wholePaths(behaviour)) {
    if (placesLeft === 0 && judgedLeft === 0) break;
    const isJudged = judgedLeft > 0 && isWithinSupport(path);
    if (isJudged) judgedLeft--;
    const known = isJudged || placesLeft > 0 ? toPathShape(path) : undefined;
    if (known === undefined) continue;
    if (placesLeft > 0) placesLeft--;
    shapes.push(known);
  }
  return shapes;
}
