import { EVICTION_SHARES } from "./eviction-shares.ts";

/** Marks an absent place. */
const NONE = -1;

/** The places of a full memory in one queue per eviction share, oldest first. */
export type EvictionQueues = {
  /** Appends a place, recorded at `ms`, to the queue of its share. */
  readonly push: (share: number, place: number, ms: number) => void;
  /**
   * Removes and returns the place to reuse. If the oldest place was recorded before `endMs`, it is
   * that one; otherwise it is the oldest of the largest shares. Undefined if all queues are empty.
   */
  readonly shift: (endMs: number) => number | undefined;
};

/** Creates empty queues for `places` places. */
export function createEvictionQueues(places: number): EvictionQueues {
  const firsts = new Int32Array(EVICTION_SHARES).fill(NONE);
  const lasts = new Int32Array(EVICTION_SHARES).fill(NONE);
  const sizes = new Uint32Array(EVICTION_SHARES);
  /** When the first place of each queue was recorded; infinity for an empty queue. */
  const firstsMs = new Float64Array(EVICTION_SHARES).fill(Number.POSITIVE_INFINITY);
  /** For each place, the next place in its queue. */
  const nexts = new Int32Array(places).fill(NONE);
  const times = new Float64Array(places);

  const findShare = (endMs: number): number => {
    let [found, foundMs, fullest] = [NONE, Number.POSITIVE_INFINITY, 1];
    let [oldest, oldestMs] = [NONE, Number.POSITIVE_INFINITY];
    for (let share = 0; share < EVICTION_SHARES; share++) {
      const ms = firstsMs[share] as number;
      if (ms < oldestMs) {
        oldest = share;
        oldestMs = ms;
      }
      const size = sizes[share] as number;
      if (size < fullest || (size === fullest && ms >= foundMs)) continue;
      found = share;
      foundMs = ms;
      fullest = size;
    }
    return oldestMs < endMs ? oldest : found;
  };

  return {
    push: (share, place, ms) => {
      times[place] = ms;
      nexts[place] = NONE;
      const last = lasts[share] as number;
      if (last === NONE) {
        firsts[share] = place;
        firstsMs[share] = ms;
      } else nexts[last] = place;
      lasts[share] = place;
      sizes[share] = (sizes[share] as number) + 1;
    },
    shift: (endMs) => {
      const share = findShare(endMs);
      if (share === NONE) return undefined;
      const place = firsts[share] as number;
      const next = nexts[place] as number;
      firsts[share] = next;
      firstsMs[share] = next === NONE ? Number.POSITIVE_INFINITY : (times[next] as number);
      if (next === NONE) lasts[share] = NONE;
      sizes[share] = (sizes[share] as number) - 1;
      return place;
    },
  };
}
