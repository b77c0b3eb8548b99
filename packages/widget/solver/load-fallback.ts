/** Fetches the solver for this thread from `base`; undefined where the page's policy or the network refuses it. */
export async function loadFallback(base: string): Promise<typeof import("./fallback.ts").solveHere | undefined> {
  const address = `${base}/solver-fallback.js`;
  try {
    const loaded: typeof import("./fallback.ts") = await import(/* @vite-ignore */ address);
    return loaded.solveHere;
  } catch {
    return undefined;
  }
}
