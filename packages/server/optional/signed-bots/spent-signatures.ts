/** Remembers the signatures that were used, so that none counts twice. */
export type SpentSignatures = {
  /** Whether the signature counts. It does not if it was used before, or if the memory is full. */
  readonly spend: (digest: string, nowMs: number) => boolean;
};

/**
 * An empty memory, of this process only. It remembers a signature for at least `lifeMs`, which must
 * cover the validity of any signature. It is bounded by two generations of at most `maxEntries`.
 * When it is full, new signatures do not count, so that a flood opens nothing.
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
