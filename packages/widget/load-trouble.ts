import { loadModule } from "./load-module.ts";
import type { trouble } from "./trouble.ts";
import { withinPatience } from "./within-patience.ts";

/** Loads the code for errors; undefined if the page's policy or the network refuses it, or it takes too long. */
export const loadTrouble = async (base: string): Promise<typeof trouble | undefined> =>
  (await withinPatience(loadModule<{ readonly trouble: typeof trouble }>(base, "trouble.js")))?.trouble;
