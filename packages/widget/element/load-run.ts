import { loadModule } from "../load-module.ts";
import { withinPatience } from "../within-patience.ts";
import type { startRun } from "./run.ts";

type RunModule = { readonly startRun: typeof startRun };

let tries = 0;

/** Loads a run's code, which browsers do once per page; undefined if that fails, and then the next call tries again. */
export const loadRun = async (base: string): Promise<RunModule | undefined> =>
  // A request that hangs is also retried at another address.
  (await withinPatience(loadModule<RunModule>(base, `run.js?${tries}`))) ?? void tries++;
