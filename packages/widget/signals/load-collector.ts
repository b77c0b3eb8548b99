/** Fetches the collector from `base`; undefined where the page's policy or the network refuses it. */
export async function loadCollector(
  base: string,
): Promise<typeof import("./environment.ts").collectEnvironment | undefined> {
  const address = `${base}/collector.js`;
  try {
    const loaded: typeof import("./environment.ts") = await import(/* @vite-ignore */ address);
    return loaded.collectEnvironment;
  } catch {
    return undefined;
  }
}
