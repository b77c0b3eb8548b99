import { loadModule } from "../load-module.ts";
import { withinPatience } from "../within-patience.ts";
import type { startRun } from "./run.ts";

type RunModule = { readonly startRun: typeof startRun };

/** What is being fetched, or was: a page has one service. */
let loading: Promise<RunModule | undefined> | undefined;
let tries = 0;

/** Fetches what a run needs, once for a page; undefined where it cannot be had, and then the next call tries again. */
export function loadRun(base: string): Promise<RunModule | undefined> {
  // Some browsers remember that a module could not be fetched, under its whole address.
  loading ??= withinPatience(loadModule<RunModule>(base, `run.js?${tries++}`)).then((module) => {
    if (!module) loading = undefined;
    return module;
  });
  return loading;
}
