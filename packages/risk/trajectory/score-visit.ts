import type { ObservedBehaviour } from "@stile/protocol/observed-signals";
import { extractFeatures } from "./features.ts";
import { createPathScorer } from "./path-scorer.ts";
import type { Path } from "./segment.ts";
import { SHIPPED_MODEL } from "./shipped-model.ts";
import { findAbstention } from "./support.ts";
import { visitPaths } from "./visit-paths.ts";

/** Log-odds that a program drew the paths of a visit, and how many paths were scored. */
export type VisitScore = { readonly logOdds: number; readonly paths: number };

const scorePath = createPathScorer(SHIPPED_MODEL);

/** Whether the model scores the path at all. */
export const isWithinSupport = (path: Path): boolean =>
  findAbstention(path, SHIPPED_MODEL.support) === undefined;

/**
 * Scores a visit by the mean over its last paths within the support, so that the others outweigh
 * one odd path of a person. Undefined if there is nothing to score: touch, keyboard, assistive
 * input, too little movement, or moves that are too rare.
 */
export function scoreVisit(behaviour: ObservedBehaviour): VisitScore | undefined {
  const paths = visitPaths(behaviour, isWithinSupport);
  if (paths.length === 0) return undefined;
  let sum = 0;
  for (const path of paths) sum += scorePath(extractFeatures(path));
  return { logOdds: sum / paths.length, paths: paths.length };
}
