import type { KeyUsage } from "@stile/core/ports/site/key-usage";

/**
 * Writes the last use of each key, by the key's digest, in one transaction, without keys that no
 * longer exist.
 */
export type RecordUses = (uses: ReadonlyMap<string, number>) => Promise<void>;

/**
 * Buffers uses until `flush` passes them to `recordMany` as one batch. Keeps them if that fails.
 */
export function createBufferedKeyUses(recordMany: RecordUses): Pick<KeyUsage, "record" | "flush"> {
  let buffered = new Map<string, number>();
  return {
    record: (secretKeyDigest, nowMs) => {
      buffered.set(secretKeyDigest, nowMs);
    },
    flush: async () => {
      if (buffered.size === 0) return;
      const written = buffered;
      buffered = new Map();
      try {
        await recordMany(written);
      } catch (error) {
        buffered = new Map([...written, ...buffered]);
        throw error;
      }
    },
  };
}
