import { loadModule } from "../load-module.ts";
import type { collectEnvironment } from "./environment.ts";

type Collector = { readonly collectEnvironment: typeof collectEnvironment };

/** Loads the collector from `base`; undefined if the page's policy or the network refuses it. */
export async function loadCollector(base: string): Promise<typeof collectEnvironment | undefined> {
  return (await loadModule<Collector>(base, "collector.js"))?.collectEnvironment;
}
