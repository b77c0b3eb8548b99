/** The purpose of a key. Different purposes never share a derived key (D4, sealed token). */
export type KeyPurpose =
  | "token"
  | "binding"
  | "challenge"
  | "delay"
  | "receipt"
  | "ticket"
  | "sign-in"
  | "gate"
  | "classes";

/**
 * Names a derived key by service key, purpose and UTC day. Key material never leaves the
 * implementation.
 */
export type KeyReference = {
  readonly keyId: number;
  readonly purpose: KeyPurpose;
  /** Days since the epoch, UTC. */
  readonly day: number;
};

/**
 * The cryptography of the use cases; synchronous. Digests are SHA-256, MACs HMAC-SHA256, seals
 * AES-256-GCM (D4, sealed token).
 */
export interface Cryptography {
  /** Id of the service key that is used to seal now. */
  currentKeyId(): number;
  /**
   * Whether tokens and challenges of that key count as expired, because a copy of the data may have
   * spent them.
   */
  isRetired(keyId: number): boolean;
  /** SHA-256, 32 bytes. */
  digest(data: Uint8Array | string): Uint8Array;
  /** HMAC-SHA256, 32 bytes; undefined if the service key is unknown. */
  mac(key: KeyReference, data: Uint8Array): Uint8Array | undefined;
  /**
   * 16 bytes that represent the data under the key. Cheaper than a MAC, for comparing values
   * without authenticating them. Undefined if the service key is unknown.
   */
  keyedDigest(key: KeyReference, data: Uint8Array): Uint8Array | undefined;
  /**
   * The ciphertext, then the 16-byte tag. The nonce (12 bytes) must be new and random. Throws on an
   * unknown key.
   */
  seal(
    key: KeyReference,
    nonce: Uint8Array,
    plaintext: Uint8Array,
    associatedData: Uint8Array,
  ): Uint8Array;
  /** The plaintext; undefined if anything was changed or the service key is unknown. */
  open(
    key: KeyReference,
    nonce: Uint8Array,
    sealed: Uint8Array,
    associatedData: Uint8Array,
  ): Uint8Array | undefined;
  /**
   * A short text that represents an address or a prefix in the counters of this process, or of all
   * nodes. Its key is random and forgotten after the day, so it cannot be traced back (D14, client
   * address).
   */
  addressDigest(bytes: Uint8Array): string;
  /** Unpredictable bytes. */
  randomBytes(length: number): Uint8Array;
  /** Compares in constant time; false if the lengths differ. */
  isEqual(a: Uint8Array, b: Uint8Array): boolean;
}
