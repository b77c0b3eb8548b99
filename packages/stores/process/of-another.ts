import type { PathOrigin } from "@stile/core/ports/visitor/visit-memory";

/** How long what visits did is remembered, ms. */
export const LIFE_MS = 24 * 3_600_000;
/**
 * How long what was recorded under another key may be by a second network of the visitor's own, ms:
 * pages stay open.
 */
const PAGE_MS = 3_600_000;

/**
 * Whether what a network recorded under the key of an era, at that time, counts as another's for
 * that visitor.
 */
export function isOfAnother(
  visitor: PathOrigin,
  network: number,
  era: number,
  recordedMs: number,
): boolean {
  const { networks, ownIn, nowMs } = visitor;
  const ageMs = nowMs - recordedMs;
  if (ageMs >= LIFE_MS) return false;
  if (era === visitor.era) return !networks.includes(network);
  const own = ownIn?.(era);
  // Of who is at no known address, a network under another key can't be told: a page of their own
  // may have stayed open.
  if (own === undefined || network === own) return false;
  // Of a second network of their own it can't be told either.
  return networks.length === 1 || ageMs >= PAGE_MS;
}
