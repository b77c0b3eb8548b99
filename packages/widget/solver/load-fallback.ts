import { loadModule } from "../load-module.ts";

/** Fetches the solver for this thread from `base`; undefined where the page's policy or the network refuses it. */
export async function loadFallback(base: string): Promise<typeof import("./fallback.ts").solveHere | undefined> {
  return (await loadModule<typeof import("./fallback.ts")>(base, "solver-fallback.js"))?.solveHere;
}
