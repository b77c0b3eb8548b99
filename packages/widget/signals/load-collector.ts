import { loadModule } from "../load-module.ts";
import type { collectEnvironment } from "./environment.ts";

type Collector = { readonly collectEnvironment: typeof collectEnvironment };

/** Fetches the collector from `base`; undefined where the page's policy or the network refuses it. */
export async function loadCollector(base: string): Promise<typeof collectEnvironment | undefined> {
  return (await loadModule<Collector>(base, "collector.js"))?.collectEnvironment;
}
