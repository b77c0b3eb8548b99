import type { listen } from "./element/call-back.ts";
import type { withStrings } from "./languages/own-strings.ts";
import { loadModule } from "./load-module.ts";

/** The parts of `surface.ts` that an element may need. */
type Surface = { readonly listen: typeof listen; readonly withStrings: typeof withStrings };

/** Loads code that few pages need; undefined if the page's policy or the network refuses it. */
export async function loadSurface(base: string): Promise<Surface | undefined> {
  return (await loadModule<{ readonly surface: Surface }>(base, "surface.js"))?.surface;
}
