import type { KeyUsage } from "@stile/core/ports/site/key-usage";

/** Writes last uses by digest in one transaction, but for those of keys that are gone. */
export type RecordUses = (uses: ReadonlyMap<string, number>) => Promise<void>;

/** Uses held back until `flush` hands them to `recordMany` at once; it keeps them if that fails. */
export function createBufferedUses(recordMany: RecordUses): Pick<KeyUsage, "record" | "flush"> {
  let held = new Map<string, number>();
  return {
    record: (secretKeyDigest, nowMs) => {
      held.set(secretKeyDigest, nowMs);
    },
    flush: async () => {
      if (held.size === 0) return;
      const written = held;
      held = new Map();
      try {
        await recordMany(written);
      } catch (error) {
        held = new Map([...written, ...held]);
        throw error;
      }
    },
  };
}
