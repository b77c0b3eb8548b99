import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { createBoundedMap } from "@stile/core/domain/bounded-map";
import type { KeyPurpose, KeyReference } from "@stile/core/ports/cryptography";

/** A derived key: as a handle, and as its 32 bytes. */
export type DerivedKey = { readonly handle: KeyObject; readonly bytes: Uint8Array };

/** Service keys in clear, in memory, and the keys derived from them (D4). */
export type KeyRing = {
  currentKeyId(): number;
  /** The derived key, or undefined if its service key is unknown. */
  derive(reference: KeyReference): DerivedKey | undefined;
  /** Whether what the key made counts as expired. */
  isRetired(keyId: number): boolean;
  /**
   * Holds exactly these service keys from now on (32 random bytes each, by id); `currentKeyId` names the one that seals,
   * `retired` those whose works have expired.
   */
  load(keys: ReadonlyMap<number, Uint8Array>, currentKeyId: number, retired?: ReadonlySet<number>): void;
  /** The key that all nodes share on that UTC day, if there are others and it is known. */
  dayKey(day: number): Uint8Array | undefined;
  /** Holds exactly these keys of days from now on. */
  loadDayKeys(keys: ReadonlyMap<number, Uint8Array>): void;
};

/** Derived keys held at once: a few purposes, two or three days, two service keys; forged references evict only. */
const MAX_DERIVED = 256;

type LastKeys = { [Purpose in KeyPurpose]?: Pick<KeyReference, "keyId" | "day"> & { readonly key: DerivedKey } };

/** An empty ring. Derivation is HKDF-SHA256 over the service key, with purpose and UTC day as information (D4). */
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

  /** A request asks for the same few keys again and again: the last of each purpose is found without naming it. */
  const derive = (reference: KeyReference): DerivedKey | undefined => {
    const last = lasts[reference.purpose];
    if (last !== undefined && last.keyId === reference.keyId && last.day === reference.day) return last.key;
    const key = deriveOrFind(reference);
    if (key !== undefined) lasts[reference.purpose] = { keyId: reference.keyId, day: reference.day, key };
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
