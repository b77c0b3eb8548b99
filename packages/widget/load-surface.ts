import type { listen } from "./element/call-back.ts";
import type { withStrings } from "./languages/own-strings.ts";
import { loadModule } from "./load-module.ts";

/** The parts of `surface.ts` that an element may need. */
type Surface = { readonly listen: typeof listen; readonly withStrings: typeof withStrings };

const load = async (base: string) =>
  (await loadModule<{ readonly surface: Surface }>(base, "surface.js"))?.surface;

/**
 * Loads code that few pages need; undefined if that fails twice, so that one lost request does not
 * leave a page without it.
 */
export const loadSurface = async (base: string): Promise<Surface | undefined> =>
  (await load(base)) ?? load(base);
