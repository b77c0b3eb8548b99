import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { KeyRing } from "./key-ring.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const DAY_MS = 86_400_000;
/** A service key is followed by a new one after 30 days (D4). */
const ROTATE_AFTER_MS = 30 * DAY_MS;
/** A new key seals an hour after it was made, when every node has loaded it and can open what it sealed. */
const SEAL_AFTER_MS = 3_600_000;
/** A replaced key still opens what it sealed; tokens live minutes, so two days are ample. */
const KEEP_REPLACED_MS = 2 * DAY_MS;

/** The master key does not fit the keys in the store: the wrong file or variable, or another installation's store. */
export class WrongMasterKey extends Error {
  override readonly name = "WrongMasterKey";
}

function wrap(masterKey: Uint8Array, keyId: number, material: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", masterKey, nonce).setAAD(Buffer.from(`stile/service-key/${keyId}`));
  return Buffer.concat([nonce, cipher.update(material), cipher.final(), cipher.getAuthTag()]);
}

/** The material of a stored key; throws WrongMasterKey if the master key is another one or the key was changed. */
export function unwrap(masterKey: Uint8Array, key: Pick<WrappedServiceKey, "keyId" | "wrapped">): Uint8Array {
  const { wrapped } = key;
  try {
    const nonce = wrapped.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", masterKey, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(`stile/service-key/${key.keyId}`))
      .setAuthTag(wrapped.subarray(wrapped.length - TAG_BYTES));
    const material = decipher.update(wrapped.subarray(NONCE_BYTES, wrapped.length - TAG_BYTES));
    decipher.final();
    return material;
  } catch (cause) {
    throw new WrongMasterKey(
      "The master key does not open the keys in the store. Restore the master key that belongs to this store " +
        "(STILE_MASTER_KEY, or the file master.key in the data directory).",
      { cause },
    );
  }
}

async function listInOrder(keys: ServiceKeys): Promise<readonly WrappedServiceKey[]> {
  return (await keys.listServiceKeys()).toSorted((a, b) => a.keyId - b.keyId);
}

/**
 * Brings the ring in line with the store: loads its keys, makes the first or the next one when it is due, and drops
 * those that nothing can need any more. Safe to run on several nodes at once.
 */
export async function refreshKeyRing(
  ring: KeyRing,
  keys: ServiceKeys,
  masterKey: Uint8Array,
  nowMs: number,
): Promise<void> {
  let stored = await listInOrder(keys);
  // Before anything is written: a key wrapped with a wrong master key would shut out the right one afterwards.
  for (const key of stored) unwrap(masterKey, key);
  const newest = stored.at(-1);
  const isDue = newest === undefined || newest.isRetired || nowMs - newest.createdAtMs >= ROTATE_AFTER_MS;
  if (isDue) {
    const keyId = (newest?.keyId ?? 0) + 1;
    await keys.insertServiceKey({ keyId, createdAtMs: nowMs, wrapped: wrap(masterKey, keyId, randomBytes(KEY_BYTES)) });
    stored = await listInOrder(keys);
  }
  const isOver = (index: number): boolean => nowMs - (stored[index + 1]?.createdAtMs ?? nowMs) >= KEEP_REPLACED_MS;
  const kept = stored.filter((_, index) => !isOver(index));
  const materials = new Map(kept.map((key) => [key.keyId, unwrap(masterKey, key)]));
  const living = kept.filter((key) => !key.isRetired);
  const current = living.findLast((key) => nowMs - key.createdAtMs >= SEAL_AFTER_MS) ?? living[0];
  const retired = new Set(kept.filter((key) => key.isRetired).map((key) => key.keyId));
  ring.load(materials, current?.keyId ?? 0, retired);
  for (const key of stored) if (!materials.has(key.keyId)) await keys.deleteServiceKey(key.keyId);
}
