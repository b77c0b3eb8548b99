/**
 * Decides whether a recording may be the visitor's own. Nodes keep only digests of networks, and
 * the key of the digests changes with each era.
 *
 * Example: a visitor in era 9 got the challenge from network 11 and submits from network 12. Their
 * `networks` are [11, 12]. A recording of era 9 is theirs if network 11 or 12 made it, and another
 * visitor's if network 40 did. A recording of era 8 has digests under the old key. `ownIn(8)` gives
 * 71 as the old digest of network 12, so a recording by 71 is theirs. A recording by 85 could be
 * from network 11, whose old digest is unknown. It counts as another visitor's only when it is an
 * hour old, because pages stay open. Without network 11, a recording by 85 counts as another
 * visitor's immediately.
 */

import type { PathOrigin } from "@stile/core/ports/visitor/visit-memory";

/** How long the process remembers a visit's paths and behaviour, ms. */
export const LIFE_MS = 24 * 3_600_000;
/** A page may stay open this long (ms) and submit again after the key of the digests changed. */
const PAGE_MS = 3_600_000;

/**
 * Whether another visitor made the recording: `network` made it under the key of `era`, at
 * `recordedMs`.
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
  // Without an address we cannot compare a digest that an older key made, so the recording may come
  // from the visitor's own page.
  if (own === undefined || network === own) return false;
  // We know only the old digest of the network that submits, not of the one that got the challenge.
  return networks.length === 1 || ageMs >= PAGE_MS;
}
