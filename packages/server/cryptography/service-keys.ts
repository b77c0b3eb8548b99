import { randomBytes } from "node:crypto";
import type { ServiceKeys, WrappedServiceKey } from "@stile/core/ports/service-keys";
import type { KeyRing } from "./key-ring.ts";
import { unwrapKey, wrapKey } from "./wrapped-key.ts";

const KEY_BYTES = 32;
const DAY_MS = 86_400_000;
/** After 30 days a service key is replaced by a new one (D4, sealed token). */
const ROTATE_AFTER_MS = 30 * DAY_MS;
/**
 * A new key seals an hour after it was made. By then every node has loaded it and can open the
 * result.
 */
const SEAL_AFTER_MS = 3_600_000;
/** How long a replaced key still opens tokens. Tokens live for minutes, so two days are plenty. */
const KEEP_REPLACED_MS = 2 * DAY_MS;

const labelOf = (keyId: number): string => `service-key/${keyId}`;

/**
 * The material of a stored key. Throws WrongMasterKey if the master key is wrong or the stored key
 * was changed.
 */
export function unwrapServiceKey(
  masterKey: Uint8Array,
  { keyId, wrapped }: Pick<WrappedServiceKey, "keyId" | "wrapped">,
): Uint8Array {
  return unwrapKey(masterKey, labelOf(keyId), wrapped);
}

/** Wraps the material of a service key for the store. */
export function wrapServiceKey(
  masterKey: Uint8Array,
  { keyId, material }: { readonly keyId: number; readonly material: Uint8Array },
): Uint8Array {
  return wrapKey(masterKey, labelOf(keyId), material);
}

/** A service key is missing that is newer than all present ones. The message says what to do. */
export class ServiceKeysLost extends Error {
  override readonly name = "ServiceKeysLost";
}

/**
 * Throws ServiceKeysLost if the newest key that was ever made is missing. Nothing that it sealed
 * can be opened, and another key must not get its id.
 */
export function checkNewestKey(
  keys: readonly Pick<WrappedServiceKey, "keyId">[],
  newestKeyId: number,
): void {
  const newest = Math.max(0, ...keys.map(({ keyId }) => keyId));
  if (newest >= newestKeyId) return;
  throw new ServiceKeysLost(
    `The database has lost the service key ${newestKeyId}, which sealed tokens and challenges. Restore a backup ` +
      '(the command "restore FILE"), or start once with --new: a new key is then created, and everything sealed by the lost key is refused.',
  );
}

async function listInOrder(keys: ServiceKeys): Promise<readonly WrappedServiceKey[]> {
  return (await keys.listServiceKeys()).toSorted((a, b) => a.keyId - b.keyId);
}

/**
 * Updates the ring from the store: loads its keys, makes the first or next one when it is due, and
 * removes those that nothing can need any more. Safe to run on several nodes at once. Throws
 * ServiceKeysLost if keys were lost while this process ran; the process continues with those in
 * memory. Before its start, the keys are checked with the store.
 */
export async function refreshKeyRing(
  ring: KeyRing,
  keys: ServiceKeys,
  masterKey: Uint8Array,
  nowMs: number,
): Promise<void> {
  // Read before the keys, because another node may add one at this moment.
  const newestKeyId = await keys.newestKeyId();
  let stored = await listInOrder(keys);
  if (ring.currentKeyId() > 0) checkNewestKey(stored, newestKeyId);
  // Before anything is written, because a key wrapped with a wrong master key would lock out the
  // right one.
  for (const key of stored) unwrapServiceKey(masterKey, key);
  const newest = stored.at(-1);
  const isDue =
    newest === undefined || newest.isRetired || nowMs - newest.createdAtMs >= ROTATE_AFTER_MS;
  if (isDue) {
    const keyId = Math.max(newest?.keyId ?? 0, newestKeyId) + 1;
    await keys.insertServiceKey({
      keyId,
      createdAtMs: nowMs,
      wrapped: wrapServiceKey(masterKey, { keyId, material: randomBytes(KEY_BYTES) }),
    });
    stored = await listInOrder(keys);
  }
  const isOver = (index: number): boolean =>
    nowMs - (stored[index + 1]?.createdAtMs ?? nowMs) >= KEEP_REPLACED_MS;
  const kept = stored.filter((_, index) => !isOver(index));
  const materials = new Map(kept.map((key) => [key.keyId, unwrapServiceKey(masterKey, key)]));
  const living = kept.filter((key) => !key.isRetired);
  const current = living.findLast((key) => nowMs - key.createdAtMs >= SEAL_AFTER_MS) ?? living[0];
  const retired = new Set(kept.filter((key) => key.isRetired).map((key) => key.keyId));
  ring.load(materials, current?.keyId ?? 0, retired);
  for (const key of stored) if (!materials.has(key.keyId)) await keys.deleteServiceKey(key.keyId);
}
