import { loadModule } from "./load-module.ts";
import type { trouble } from "./trouble.ts";

/** Loads the code for errors; undefined if that fails. */
export const loadTrouble = async (base: string): Promise<typeof trouble | undefined> =>
  (await loadModule<{ readonly trouble: typeof trouble }>(base, "trouble.js"))?.trouble;
