import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import type { Vault } from "@stile/core/ports/account/credentials";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * A vault for members' secrets: AES-256-GCM under a key derived from the master key for each
 * purpose (HKDF-SHA256). `vault` is for secrets of authenticator apps, which the store keeps;
 * `device` is for the cookies of known browsers. A sealed text is nonce, ciphertext and tag; the
 * owner is associated data. Members enrol and sign in rarely, so random nonces stay safe under one
 * key.
 */
export function createVault(masterKey: Uint8Array, purpose: "vault" | "device" = "vault"): Vault {
  const information = `stile/${purpose}`;
  const key = createSecretKey(
    new Uint8Array(hkdfSync("sha256", masterKey, new Uint8Array(0), information, 32)),
  );
  return {
    seal: (secret, owner) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(owner),
      );
      return new Uint8Array(
        Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]),
      );
    },
    open: (sealed, owner) => {
      const bodyEnd = sealed.length - TAG_BYTES;
      if (bodyEnd < NONCE_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(bodyEnd));
      const secret = decipher.update(sealed.subarray(NONCE_BYTES, bodyEnd));
      try {
        decipher.final();
        return new Uint8Array(secret);
      } catch {
        // The tag is wrong. Callers expect that, but Node reports it by throwing.
        return undefined;
      }
    },
  };
}
