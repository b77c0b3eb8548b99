import type { listen } from "./element/call-back.ts";
import type { withStrings } from "./languages/own-strings.ts";
import { loadModule } from "./load-module.ts";

/** What an element may need of `surface.ts`. */
type Surface = { readonly listen: typeof listen; readonly withStrings: typeof withStrings };

/** Fetches what few pages need; undefined where the page's policy or the network refuses it. */
export async function loadSurface(base: string): Promise<Surface | undefined> {
  return (await loadModule<{ readonly surface: Surface }>(base, "surface.js"))?.surface;
}
