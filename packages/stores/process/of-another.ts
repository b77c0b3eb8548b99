import type { PathOrigin } from "@stile/core/ports/visitor/visit-memory";

/** How long what visits did is remembered, ms. */
export const LIFE_MS = 24 * 3_600_000;
/** How long what was recorded under another key may be the visitor's own where it can't be told, ms: pages stay open. */
const PAGE_MS = 3_600_000;

/** Whether what a network recorded under the key of an era, at that time, counts as another's for that visitor. */
export function isOfAnother(visitor: PathOrigin, network: number, era: number, recordedMs: number): boolean {
  const { networks, ownIn, nowMs } = visitor;
  const ageMs = nowMs - recordedMs;
  if (ageMs >= LIFE_MS) return false;
  if (era === visitor.era) return !networks.includes(network);
  const own = ownIn?.(era);
  if (network === own) return false;
  // Of a second network of their own, the number under another key can't be told.
  return (own !== undefined && networks.length === 1) || ageMs >= PAGE_MS;
}
