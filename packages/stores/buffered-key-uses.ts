import type { KeyUsage } from "@stile/core/ports/site/key-usage";

/** Writes last uses by digest in one transaction, but for those of keys that are gone. */
export type RecordUses = (uses: ReadonlyMap<string, number>) => Promise<void>;

/** Uses buffered until `flush` hands them to `recordMany` at once; it keeps them if that fails. */
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
