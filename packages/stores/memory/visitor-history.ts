import type { VisitorHistory } from "@stile/core/ports/visitor-history";

/** Moments until which something holds of a browser, in the order of renewal; the longest unrenewed makes room. */
function createMemory(maxEntries: number) {
  const untilMsOf = new Map<string, number>();

  const makeRoom = (): void => {
    for (const oldest of untilMsOf.keys()) {
      if (untilMsOf.size < maxEntries) return;
      untilMsOf.delete(oldest);
    }
  };

  return {
    note: (owner: string, client: string, untilMs: number): void => {
      const key = `${owner} ${client}`;
      const heldUntilMs = untilMsOf.get(key) ?? 0;
      if (!untilMsOf.delete(key)) makeRoom();
      untilMsOf.set(key, Math.max(heldUntilMs, untilMs));
    },
    holds: (owner: string, client: string, nowMs: number): boolean =>
      nowMs < (untilMsOf.get(`${owner} ${client}`) ?? 0),
  };
}

/** What this process remembers of browsers: at most `maxEntries` of each kind, about 150 bytes each. */
export function createVisitorHistory({ maxEntries }: { readonly maxEntries: number }): VisitorHistory {
  const stepUps = createMemory(maxEntries);
  const redeemed = createMemory(maxEntries);
  return {
    demandStepUp: stepUps.note,
    mustStepUp: stepUps.holds,
    noteRedeemed: redeemed.note,
    hasRedeemed: redeemed.holds,
  };
}
