import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { KeyPurpose, KeyReference } from "@stile/core/ports/cryptography";

/** A derived key: as a handle, and as its 32 bytes. */
export type DerivedKey = { readonly handle: KeyObject; readonly bytes: Uint8Array };

/** Unwrapped service keys in memory, and the keys derived from them (D4, sealed token). */
export type KeyRing = {
  currentKeyId(): number;
  /** The derived key; undefined if its service key is unknown. */
  derive(reference: KeyReference): DerivedKey | undefined;
  /** Whether everything that this key sealed counts as expired. */
  isRetired(keyId: number): boolean;
  /**
   * Replaces the service keys (32 random bytes each, by id). `currentKeyId` names the one that
   * seals, `retired` those whose tokens and challenges count as expired.
   */
  load(
    keys: ReadonlyMap<number, Uint8Array>,
    currentKeyId: number,
    retired?: ReadonlySet<number>,
  ): void;
  /**
   * The key that all nodes share on that UTC day; undefined if there is only one node or the key is
   * unknown.
   */
  dayKey(day: number): Uint8Array | undefined;
  /** Replaces the keys of days. */
  loadDayKeys(keys: ReadonlyMap<number, Uint8Array>): void;
};

/**
 * The most derived keys kept. In use are a few purposes, two or three days, and two service keys.
 * Forged references only evict.
 */
const MAX_DERIVED = 256;

type LastKeys = {
  [Purpose in KeyPurpose]?: Pick<KeyReference, "keyId" | "day"> & { readonly key: DerivedKey };
};

/**
 * An empty ring. It derives keys with HKDF-SHA256 from the service key, with purpose and UTC day as
 * information (D4, sealed token).
 */
export function createKeyRing(): KeyRing {
  let services: ReadonlyMap<number, Uint8Array> = new Map();
  let derived = createBoundedMap<string, DerivedKey>(MAX_DERIVED);
  let lasts: LastKeys = {};
  let current = 0;
  let retired: ReadonlySet<number> = new Set();
  let dayKeys: ReadonlyMap<number, Uint8Array> = new Map();

  const deriveOrFind = (reference: KeyReference): DerivedKey | undefined => {
    const name = `${reference.keyId}/${reference.purpose}/${reference.day}`;
    const known = derived.get(name);
    if (known !== undefined) return known;
    const material = services.get(reference.keyId);
    if (material === undefined) return undefined;
    const info = `stile/${reference.purpose}/${reference.day}`;
    const bytes = new Uint8Array(hkdfSync("sha256", material, new Uint8Array(0), info, 32));
    const key = { handle: createSecretKey(bytes), bytes };
    derived.set(name, key);
    return key;
  };

  /**
   * Requests need the same few keys all the time, so the last key of each purpose is found without
   * building a name.
   */
  const derive = (reference: KeyReference): DerivedKey | undefined => {
    const last = lasts[reference.purpose];
    if (last !== undefined && last.keyId === reference.keyId && last.day === reference.day)
      return last.key;
    const key = deriveOrFind(reference);
    if (key !== undefined)
      lasts[reference.purpose] = { keyId: reference.keyId, day: reference.day, key };
    return key;
  };

  return {
    currentKeyId: () => current,
    derive,
    isRetired: (keyId) => retired.has(keyId),
    load: (keys, currentKeyId, retiredIds = new Set()) => {
      services = new Map(keys);
      current = currentKeyId;
      retired = retiredIds;
      derived = createBoundedMap(MAX_DERIVED);
      lasts = {};
    },
    dayKey: (day) => dayKeys.get(day),
    loadDayKeys: (keys) => {
      dayKeys = new Map(keys);
    },
  };
}
