import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { type KnownShape, toPathShape } from "./path-shape.ts";
import { isWithinSupport } from "./score-visit.ts";
import { MAX_PATHS, wholePaths } from "./visit-paths.ts";

/**
 * The shapes by which a visit can be recognised: those of its last MAX_PATHS paths that the model
 * scores, and if these are fewer, of its last other paths. Otherwise later presses could hide a
 * recorded path: with moves too short for a shape, or too slow for the model.
 */
export function knownShapes(behaviour: ObservedBehaviour): KnownShape[] {
  const scored: KnownShape[] = [];
  const others: KnownShape[] = [];
  for (const path of wholePaths(behaviour)) {
    if (scored.length === MAX_PATHS) break;
    const shapes = isWithinSupport(path) ? scored : others;
    const known = shapes.length < MAX_PATHS ? toPathShape(path) : undefined;
    if (known !== undefined) shapes.push(known);
  }
  return [...scored, ...others].slice(0, MAX_PATHS);
}
