import { addToVotes, type KeptVotes, weighVotes } from "@stile/core/domain/layout/kept-votes";
import type { StoredLayoutVotes } from "@stile/core/ports/layout/layout-banks";

/** Votes in the memory of one process. */
export function createMemoryLayoutVotes(): StoredLayoutVotes {
  const known = new Map<string, KeptVotes>();
  const forget = (releases: readonly string[]): void => {
    for (const release of releases) known.delete(release);
  };
  return {
    addVotes: async (votes, nowMs) => {
      const changes = addToVotes([...known.values()], votes, nowMs);
      forget(changes.forget);
      for (const one of changes.put) known.set(one.release, one);
    },
    listVotes: async (nowMs) => weighVotes([...known.values()], nowMs),
    forgetVotes: async (releases) => forget(releases),
  };
}
