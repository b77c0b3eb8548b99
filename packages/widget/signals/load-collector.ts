import { loadModule } from "../load-module.ts";
import type { collectEnvironment } from "./environment.ts";

type Collector = { readonly collectEnvironment: typeof collectEnvironment };

/**
 * Loads the collector from `base`; undefined if the page's policy or the network refuses it twice.
 * Without it a visitor has to press, and one lost request should not cause that.
 */
export const loadCollector = async (base: string): Promise<typeof collectEnvironment | undefined> =>
  (
    (await loadModule<Collector>(base, "collector.js")) ??
    (await loadModule<Collector>(base, "collector.js"))
  )?.collectEnvironment;
