import { loadTrouble } from "../load-trouble.ts";
import { nextTask } from "../next-task.ts";
import type { Surroundings } from "../service/service-client.ts";
import type { PageServices } from "./page-services.ts";

/** The real surroundings of a client of the service at `base`, in a page that refuses the service under such directives. */
export const surroundingsOf = ({ base, refuses }: Pick<PageServices, "base" | "refuses">): Surroundings => ({
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
  isRefusedByPolicy: async () => {
    await nextTask();
    return refuses("connect-src");
  },
  loadTrouble: () => loadTrouble(base),
  isOffline: () => !navigator.onLine,
  // A sandboxed page still has the address it came from.
  host: self.origin === "null" ? "" : location.hostname,
});
