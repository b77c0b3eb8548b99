import type { VisitorHistory } from "@stile/core/ports/visitor-history";

/** What this process remembers of clients, of at most `maxEntries` (about 150 bytes each); the longest unrenewed makes room. */
export function createVisitorHistory({ maxEntries }: { readonly maxEntries: number }): VisitorHistory {
  const stepUpUntilMs = new Map<string, number>();
  const keyOf = (siteKey: string, client: string): string => `${siteKey} ${client}`;

  const makeRoom = (): void => {
    for (const oldest of stepUpUntilMs.keys()) {
      if (stepUpUntilMs.size < maxEntries) return;
      stepUpUntilMs.delete(oldest);
    }
  };

  return {
    demandStepUp: (siteKey, client, untilMs) => {
      const key = keyOf(siteKey, client);
      const heldUntilMs = stepUpUntilMs.get(key) ?? 0;
      if (!stepUpUntilMs.delete(key)) makeRoom();
      stepUpUntilMs.set(key, Math.max(heldUntilMs, untilMs));
    },
    mustStepUp: (siteKey, client, nowMs) => nowMs < (stepUpUntilMs.get(keyOf(siteKey, client)) ?? 0),
  };
}
