import { loadModule } from "../load-module.ts";

/**
 * Loads the solver for this thread from `base`; undefined if the page's policy or the network
 * refuses it.
 */
export const loadFallback = async (
  base: string,
): Promise<typeof import("./fallback.ts").solveHere | undefined> =>
  (await loadModule<typeof import("./fallback.ts")>(base, "solver-fallback.js"))?.solveHere;
