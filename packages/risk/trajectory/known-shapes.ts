import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { isWithinSupport } from "./judge-visit.ts";
import { type KnownShape, toPathShape } from "./path-shape.ts";
import { MAX_PATHS, wholePaths } from "./visit-paths.ts";

/**
 * The shapes by which a visit can be known again: of its last MAX_PATHS paths that the model judges and, where these are fewer, of the
 * last others that have one. Else presses behind a recorded path would hide it: with moves too short for a shape, or so slow that the
 * model has nothing to say of them.
 */
export function knownShapes(behaviour: ObservedBehaviour): KnownShape[] {
  const judged: KnownShape[] = [];
  const others: KnownShape[] = [];
  for (const path of wholePaths(behaviour)) {
    if (judged.length === MAX_PATHS) break;
    const shapes = isWithinSupport(path) ? judged : others;
    const known = shapes.length < MAX_PATHS ? toPathShape(path) : undefined;
    if (known !== undefined) shapes.push(known);
  }
  return [...judged, ...others].slice(0, MAX_PATHS);
}
