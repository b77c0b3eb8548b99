/**
 * The most memory of incomplete bodies in this process, in bytes: as much as 512 of the largest.
 */
export const MOST_UNFINISHED_BYTES = 33_554_432;

/** Gives up waiting for a body, and drops the part that has arrived. */
export type GiveWay = () => void;

/** The incomplete bodies with their present size, in the order in which they began. */
const unfinished = new Map<GiveWay, number>();
let total = 0;

/** The body is complete, or nobody waits for it any more. */
export function endUnfinished(body: GiveWay): void {
  total -= unfinished.get(body) ?? 0;
  unfinished.delete(body);
}

/**
 * Counts more bytes of an incomplete body. If all of them together take too much memory, the oldest
 * is refused. An honest body is complete within a moment, so an attacker who keeps many back can't
 * keep out later ones.
 */
export function growUnfinished(body: GiveWay, bytes: number): void {
  unfinished.set(body, (unfinished.get(body) ?? 0) + bytes);
  total += bytes;
  for (const oldest of unfinished.keys()) {
    if (total <= MOST_UNFINISHED_BYTES) return;
    endUnfinished(oldest);
    oldest();
  }
}
