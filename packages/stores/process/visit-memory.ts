import type { VisitMemory } from "@stile/core/ports/visitor/visit-memory";
import { createBehaviourMemory } from "./behaviours/behaviour-memory.ts";
import { createPathMemory } from "./paths/path-memory.ts";

/** Bounds: paths of one site, paths of all sites, and behaviours. */
export type VisitBounds = {
  readonly pathsOfSite: number;
  readonly paths: number;
  readonly behaviours: number;
};

/** Creates the empty memory of visits of this process. */
export function createVisitMemory({ pathsOfSite, paths, behaviours }: VisitBounds): VisitMemory {
  return {
    paths: createPathMemory({ perSite: pathsOfSite, inAll: paths }),
    behaviours: createBehaviourMemory({ maxEntries: behaviours }),
  };
}
