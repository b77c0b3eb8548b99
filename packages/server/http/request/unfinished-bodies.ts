/** How much memory incomplete bodies may take in this process: as much as 512 of the largest. */
export const MOST_UNFINISHED_BYTES = 33_554_432;

/** Gives up waiting for a body, and drops what has arrived of it. */
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
 * Counts more bytes of an incomplete body. If all of them hold too much, the oldest gives way: an
 * honest body is complete within a moment, and an attacker who keeps many back can't keep out those
 * who come later.
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
