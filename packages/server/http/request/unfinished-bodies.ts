/** What bodies that are not whole yet may hold of this process's memory: 512 of the largest. */
export const MOST_UNFINISHED_BYTES = 33_554_432;

/** Ends the wait for a body, and lets go of what has come of it. */
export type GiveWay = () => void;

/** Each with the bytes that it holds, in the order in which they began. */
const unfinished = new Map<GiveWay, number>();
let total = 0;

/** A body is whole, or nobody waits for it any more. */
export function endUnfinished(body: GiveWay): void {
  total -= unfinished.get(body) ?? 0;
  unfinished.delete(body);
}

/**
 * More of a body came, which is not whole. Where all of them hold too much, the oldest gives way: an honest one is whole within a moment,
 * and who keeps many back does not keep out who comes later.
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
