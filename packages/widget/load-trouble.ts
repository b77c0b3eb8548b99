import { loadModule } from "./load-module.ts";
import type { trouble } from "./trouble.ts";
import { withinPatience } from "./within-patience.ts";

/** Fetches what is needed where something goes wrong; undefined where the page's policy or the network refuses it, or is too slow. */
export const loadTrouble = async (base: string): Promise<typeof trouble | undefined> =>
  (await withinPatience(loadModule<{ readonly trouble: typeof trouble }>(base, "trouble.js")))?.trouble;
