/** Signatures that counted already, so that none counts twice. */
export type SpentSignatures = {
  /** Whether it counts now: not if it did before, nor while the memory is full. */
  readonly spend: (digest: string, nowMs: number) => boolean;
};

/**
 * An empty memory, of this process alone. Each signature is known for `lifeMs` at least: no shorter than one may be good. Two
 * generations of at most `maxEntries` bound it; whatever finds it full does not count, so that a flood opens nothing.
 */
export function createSpentSignatures(bounds: {
  readonly lifeMs: number;
  readonly maxEntries: number;
}): SpentSignatures {
  let older = new Set<string>();
  let newer = new Set<string>();
  let sinceMs = Number.NEGATIVE_INFINITY;
  return {
    spend: (digest, nowMs) => {
      if (nowMs - sinceMs >= bounds.lifeMs) {
        older = nowMs - sinceMs >= 2 * bounds.lifeMs ? new Set() : newer;
        newer = new Set();
        sinceMs = nowMs;
      }
      if (older.has(digest) || newer.has(digest) || newer.size >= bounds.maxEntries) return false;
      newer.add(digest);
      return true;
    },
  };
}
