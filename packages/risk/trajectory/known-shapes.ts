import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { isWithinSupport } from "./judge-visit.ts";
import { type KnownShape, toPathShape } from "./path-shape.ts";
import { MAX_PATHS, wholePaths } from "./visit-paths.ts";

/**
 * The shapes by which a visit can be recognised: those of its last MAX_PATHS paths that the model
 * scores, and if these are fewer, of its last other paths. Otherwise later presses could hide a
 * recorded path: with moves too short for a shape, or too slow for the model.
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
