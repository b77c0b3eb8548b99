import { loadModule } from "../load-module.ts";

/** Fetches what is to be said of what goes wrong seldom; undefined where the page's policy or the network refuses it. */
export const loadErrorTexts = (base: string): Promise<typeof import("./error-texts.ts") | undefined> =>
  loadModule(base, "error-texts.js");
