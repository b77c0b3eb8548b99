import type { BehaviourMemory } from "@stile/core/ports/visitor/visit-memory";
import { EVICTION_SHARES, fullestOf, shareOfNetwork } from "./eviction-shares.ts";
import { createHeld } from "./held.ts";

const LIFE_MS = 24 * 3_600_000;

/** Who handed a behaviour in first, and from which other network it came next, if any. */
type First = { readonly network: number; readonly atMs: number; next: number | undefined };

/**
 * Whether a visit repeats what others did. Of a page that changes its network, the first one is among its own. If a
 * second one handed it in, too, a third can't be the same page's: otherwise a recording could be handed in from
 * everywhere, with challenges drawn where it was made.
 */
function isAnothers({ network, next }: First, networks: readonly number[]): boolean {
  const here = networks.at(-1);
  return !networks.includes(network) || (next !== undefined && here !== network && here !== next);
}

/**
 * What this process remembers of behaviours: at most `maxEntries`, about 200 bytes each. When it is full, the oldest
 * entry of the networks that hold most of it makes room.
 */
export function createBehaviourMemory({ maxEntries }: { readonly maxEntries: number }): BehaviourMemory {
  const firsts = new Map<string, First>();
  /** The digests of each share, in the order they were noted; and the number of digests in each. */
  const shares = Array.from({ length: EVICTION_SHARES }, () => new Set<string>());
  const sizes = new Uint32Array(EVICTION_SHARES);

  const held = createHeld<{ readonly digest: string; readonly network: number }>();

  const forget = (digest: string, network: number): void => {
    const share = shareOfNetwork(network);
    firsts.delete(digest);
    shares[share]?.delete(digest);
    sizes[share] = shares[share]?.size ?? 0;
  };

  const makeRoom = (): void => {
    const [oldest] = shares[sizes.indexOf(fullestOf(sizes))] ?? [];
    const first = oldest === undefined ? undefined : firsts.get(oldest);
    if (oldest !== undefined && first !== undefined) forget(oldest, first.network);
  };

  return {
    isKnown: (digest, networks, nowMs) => {
      const first = firsts.get(digest);
      if (first !== undefined && nowMs - first.atMs < LIFE_MS && isAnothers(first, networks)) return true;
      for (const one of held.all) if (one.digest === digest && !networks.includes(one.network)) return true;
      return false;
    },
    hold: (digest, network) => held.hold({ digest, network }),
    record: (digest, network, nowMs) => {
      const first = firsts.get(digest);
      if (first !== undefined && nowMs - first.atMs < LIFE_MS) {
        if (network !== first.network) first.next ??= network;
        return;
      }
      if (first !== undefined) forget(digest, first.network);
      if (firsts.size >= maxEntries) makeRoom();
      firsts.set(digest, { network, atMs: nowMs, next: undefined });
      const share = shareOfNetwork(network);
      shares[share]?.add(digest);
      sizes[share] = shares[share]?.size ?? 0;
    },
  };
}
