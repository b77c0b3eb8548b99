import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type DecipherGCM,
  hash,
  randomFillSync,
  timingSafeEqual,
} from "node:crypto";
import type { Clock } from "@stile/core/ports/clock";
import type { Cryptography } from "@stile/core/ports/cryptography";
import type { KeyRing } from "./key-ring.ts";

const TAG_BYTES = 16;
const DAY_MS = 86_400_000;
const ADDRESS_KEY_BYTES = 32;
const KEYED_DIGEST_BYTES = 16;
/**
 * Random bytes are drawn in blocks of this size, so one call of the kernel's generator serves
 * hundreds of requests.
 */
const POOL_BYTES = 8192;

/**
 * SHA-256. Node returns texts more cheaply than buffers; asking for a buffer would cost three times
 * as much.
 */
function sha256(data: Uint8Array | string): Buffer {
  return Buffer.from(hash("sha256", data, "latin1"), "latin1");
}

/**
 * Buffer in which key and data are joined. Allocating one for each digest would cost as much as the
 * digest.
 */
const keyedRoom = Buffer.alloc(2048);

/**
 * SHA-256 over a key of fixed length and the data. Callers keep at most half of the hash, so nobody
 * can extend it. It costs half as much as an HMAC.
 */
function prefixedHash(key: Uint8Array, data: Uint8Array): Buffer {
  const length = key.length + data.length;
  const keyed = length <= keyedRoom.length ? keyedRoom.subarray(0, length) : new Uint8Array(length);
  keyed.set(key);
  keyed.set(data, key.length);
  return sha256(keyed);
}

/**
 * Whether the tag is right. Callers expect wrong tags, but Node throws. Nobody reads the stack
 * trace, and collecting it would be a third of the cost of opening a forged token.
 */
function isTagRight(decipher: DecipherGCM): boolean {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    decipher.final();
    return true;
  } catch {
    return false;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function createRandomPool(): (length: number) => Uint8Array {
  let pool = Buffer.alloc(0);
  let at = 0;
  return (length) => {
    if (length > POOL_BYTES) return randomFillSync(new Uint8Array(length));
    if (at + length > pool.length) {
      pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
      at = 0;
    }
    const bytes = Uint8Array.prototype.slice.call(pool, at, at + length);
    // Issued bytes must not stay readable in the pool.
    pool.fill(0, at, at + length);
    at += length;
    return bytes;
  };
}

/** The cryptography port, implemented with Node's own crypto (D4, sealed token). */
export function createNodeCryptography(ring: KeyRing, clock: Clock): Cryptography {
  const randomBytes = createRandomPool();
  let addressKey = randomBytes(ADDRESS_KEY_BYTES);
  let addressKeyDay = Math.floor(clock.nowMs() / DAY_MS);

  return {
    currentKeyId: ring.currentKeyId,
    isRetired: ring.isRetired,
    digest: sha256,
    mac: (reference, data) => {
      const key = ring.derive(reference);
      return (
        key && Buffer.from(createHmac("sha256", key.handle).update(data).digest("latin1"), "latin1")
      );
    },
    keyedDigest: (reference, data) => {
      const key = ring.derive(reference);
      return key && prefixedHash(key.bytes, data).subarray(0, KEYED_DIGEST_BYTES);
    },
    seal: (reference, nonce, plaintext, associatedData) => {
      const key = ring.derive(reference);
      if (key === undefined) throw new Error(`service key ${reference.keyId} is unknown`);
      const cipher = createCipheriv("aes-256-gcm", key.handle, nonce, {
        authTagLength: TAG_BYTES,
      }).setAAD(associatedData);
      return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    },
    open: (reference, nonce, sealed, associatedData) => {
      const key = ring.derive(reference);
      if (key === undefined || sealed.length < TAG_BYTES) return undefined;
      const decipher = createDecipheriv("aes-256-gcm", key.handle, nonce, {
        authTagLength: TAG_BYTES,
      })
        .setAAD(associatedData)
        .setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const plaintext = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
      return isTagRight(decipher) ? plaintext : undefined;
    },
    addressDigest: (bytes) => {
      const day = Math.floor(clock.nowMs() / DAY_MS);
      if (day !== addressKeyDay) {
        addressKey = randomBytes(ADDRESS_KEY_BYTES);
        addressKeyDay = day;
      }
      return prefixedHash(ring.dayKey(day) ?? addressKey, bytes).toString(
        "base64url",
        0,
        KEYED_DIGEST_BYTES,
      );
    },
    randomBytes,
    isEqual: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  };
}
