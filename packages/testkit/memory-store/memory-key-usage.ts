import type { KeyUsage } from "@stile/core/ports/site/key-usage";
import type { Sites } from "@stile/core/ports/site/sites";

/**
 * The last accepted call of each secret key, by its digest, in memory; only for keys that a site
 * still has.
 */
export function createMemoryKeyUsage(sites: Pick<Sites, "findSiteBySecret">): KeyUsage {
  let held = new Map<string, number>();
  const lastUses = new Map<string, number>();
  return {
    record: (secretKeyDigest, nowMs) => {
      held.set(secretKeyDigest, nowMs);
    },
    flush: async () => {
      const written = held;
      held = new Map();
      for (const [digest, nowMs] of written) {
        if ((await sites.findSiteBySecret(digest)) === undefined) continue;
        lastUses.set(digest, Math.max(nowMs, lastUses.get(digest) ?? nowMs));
      }
    },
    findLastUses: async (digests) => {
      const found = new Map<string, number>();
      for (const digest of digests) {
        const lastUse = lastUses.get(digest);
        if (lastUse !== undefined) found.set(digest, lastUse);
      }
      return found;
    },
  };
}
