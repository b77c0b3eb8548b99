import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The master key does not fit the keys in the store. Either the file or variable is wrong, or the
 * store belongs to another installation.
 */
export class WrongMasterKey extends Error {
  override readonly name = "WrongMasterKey";
}

const dataOf = (label: string): Buffer => Buffer.from(`stile/${label}`);

/**
 * A key wrapped with the master key (AES-256-GCM). It is bound to its label, so that no key can
 * replace another.
 */
export function wrapKey(masterKey: Uint8Array, label: string, material: Uint8Array): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", masterKey, nonce).setAAD(dataOf(label));
  return Buffer.concat([nonce, cipher.update(material), cipher.final(), cipher.getAuthTag()]);
}

/**
 * Unwraps a key that `wrapKey` wrapped. Throws WrongMasterKey if the master key or label is
 * another, or anything was changed.
 */
export function unwrapKey(masterKey: Uint8Array, label: string, wrapped: Uint8Array): Uint8Array {
  try {
    const nonce = wrapped.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", masterKey, nonce, { authTagLength: TAG_BYTES })
      .setAAD(dataOf(label))
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
