import { loadModule } from "../load-module.ts";
import { withinPatience } from "../within-patience.ts";
import type { startRun } from "./run.ts";

type RunModule = { readonly startRun: typeof startRun };

let tries = 0;

/** Fetches what a run needs, which browsers do once for a page; undefined where it cannot be had, and then the next call tries again. */
export const loadRun = async (base: string): Promise<RunModule | undefined> =>
  // One that hangs is asked for by another address, too.
  (await withinPatience(loadModule<RunModule>(base, `run.js?${tries}`))) ?? void tries++;
