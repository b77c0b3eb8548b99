import { loadModule } from "../load-module.ts";
import { withinPatience } from "../within-patience.ts";
import type { startRun } from "./run.ts";

type RunModule = { readonly startRun: typeof startRun };

/** By address of the service. */
const loaded = new Map<string, Promise<RunModule | undefined>>();
let tries = 0;

/** Fetches what a run needs, once for a page; undefined where it cannot be had, and then the next call tries again. */
export function loadRun(base: string): Promise<RunModule | undefined> {
  const known = loaded.get(base);
  if (known !== undefined) return known;
  // Some browsers remember that a module could not be fetched, under its whole address.
  const loading = withinPatience(loadModule<RunModule>(base, tries++ === 0 ? "run.js" : `run.js?${tries}`));
  loaded.set(base, loading);
  void loading.then((module) => module ?? loaded.delete(base));
  return loading;
}
