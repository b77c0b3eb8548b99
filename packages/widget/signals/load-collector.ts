import { loadModule } from "../load-module.ts";

/** Fetches the collector from `base`; undefined where the page's policy or the network refuses it. */
export async function loadCollector(
  base: string,
): Promise<typeof import("./environment.ts").collectEnvironment | undefined> {
  return (await loadModule<typeof import("./environment.ts")>(base, "collector.js"))?.collectEnvironment;
}
