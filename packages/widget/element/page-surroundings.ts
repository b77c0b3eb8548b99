import { loadTrouble } from "../load-trouble.ts";
import type { Surroundings } from "../service/service-client.ts";
import type { PageServices } from "./page-services.ts";
import { whyUnreachable } from "./why-unreachable.ts";

/**
 * The real surroundings of a client of the service at `base`; `refuses` reports the refusals of the
 * page's policy.
 */
export const surroundingsOf = ({
  base,
  refuses,
}: Pick<PageServices, "base" | "refuses">): Surroundings => ({
  pause: (ms, signal) =>
    new Promise((resolve) => {
      setTimeout(resolve, ms);
      // Back on the network: no reason to wait any longer.
      addEventListener("online", resolve, { signal });
      signal.addEventListener("abort", resolve);
    }),
  random: Math.random,
  now: Date.now,
  whyUnreachable: () => whyUnreachable(refuses, "connect-src"),
  loadTrouble: () => loadTrouble(base),
  // A sandboxed page still has the address it was loaded from.
  host: self.origin === "null" ? "" : location.hostname,
});
