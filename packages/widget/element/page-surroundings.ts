import type { Surroundings } from "../service/service-client.ts";

/** The address of the last connection that the page's policy refused. */
let lastRefused: string | undefined;

/** Starts noting what the page's Content-Security-Policy refuses, so that an error can say so. */
export function watchPolicy(): void {
  document.addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) => {
    if (effectiveDirective === "connect-src") lastRefused = blockedURI;
  });
}

/** The real surroundings of a service client in a page. */
export const pageSurroundings: Surroundings = {
  pause: (ms, signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        removeEventListener("online", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      // Back on the network: no reason to sit out the rest.
      addEventListener("online", end);
      signal.addEventListener("abort", end, { once: true });
    }),
  random: Math.random,
  now: Date.now,
  isRefusedByPolicy: async (url) => {
    // The report is a task of its own, queued before the failure but not always delivered before it.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return lastRefused !== undefined && url.startsWith(lastRefused);
  },
  isOffline: () => !navigator.onLine,
  // A sandboxed page still has the address it came from.
  host: self.origin === "null" ? "" : location.hostname,
};
