import type { BehaviourHistory } from "@stile/core/ports/behaviour-history";

const LIFE_MS = 24 * 3_600_000;

/** What this process remembers of behaviours: at most `maxEntries`, about 150 bytes each; the oldest makes room. */
export function createBehaviourHistory({ maxEntries }: { readonly maxEntries: number }): BehaviourHistory {
  const firsts = new Map<string, { readonly network: number; readonly atMs: number }>();
  return {
    isKnown: (digest, networks, nowMs) => {
      const first = firsts.get(digest);
      return first !== undefined && nowMs - first.atMs < LIFE_MS && !networks.includes(first.network);
    },
    note: (digest, network, nowMs) => {
      const first = firsts.get(digest);
      if (first !== undefined && nowMs - first.atMs < LIFE_MS) return;
      firsts.delete(digest);
      const [oldest] = firsts.keys();
      if (firsts.size >= maxEntries && oldest !== undefined) firsts.delete(oldest);
      firsts.set(digest, { network, atMs: nowMs });
    },
  };
}
