import { type AlgorithmNumber, isAlgorithmNumber } from "./algorithms/table.ts";
import { isPuzzleSize } from "./puzzle.ts";

/**
 * The service's request to one visitor. It is signed and issued, and stored nowhere until it is
 * spent.
 */
export type Challenge = {
  readonly algorithm: AlgorithmNumber;
  /** The service key (u32) that the MAC and the digests are derived from (D4, sealed token). */
  readonly keyId: number;
  /** How many distinct nonces a solution must hold, 1..255. */
  readonly k: number;
  /** D, the number of hashes that a solution is expected to take; see `isPuzzleSize`. */
  readonly difficulty: number;
  /** `pk_` and 22 base62 characters (D13, formats). */
  readonly siteKey: string;
  /**
   * `stepped_up` if an earlier solution of this visitor was not enough; `priced` if the visitor
   * pressed, and pays for other doubts with work (D9, submission).
   */
  readonly stage: "first" | "stepped_up" | "priced";
  /** What the visitor must do: nothing, or press the widget (D8, challenge). */
  readonly interaction: "none" | "click";
  /**
   * True if the challenge is easier, for a browser without WebAssembly, at the price of a risk
   * flag.
   */
  readonly isFallback: boolean;
  /** Keyed digest of the action name, 8 bytes. */
  readonly actionDigest: Uint8Array;
  /** Keyed digest of the user agent, 8 bytes. */
  readonly userAgentDigest: Uint8Array;
  /**
   * Family of the client's address as the service saw it; 0 if none is known: `prefixDigest` is
   * then meaningless.
   */
  readonly addressFamily: 0 | 4 | 6;
  /** Keyed digest of the client's address prefix (D5, binding), 8 bytes. */
  readonly prefixDigest: Uint8Array;
  /** Epoch ms, at most 48 bits. */
  readonly issuedAtMs: number;
  /** For how many seconds after `issuedAtMs` a solution is accepted, 1..65535. */
  readonly lifeSeconds: number;
  /** 16 random bytes, which are marked as spent. */
  readonly id: Uint8Array;
};

/**
 * A packed challenge, taken apart. Trust nothing in `challenge` until `mac` has been verified for
 * `signedBytes`.
 */
export type UnpackedChallenge = {
  readonly challenge: Challenge;
  readonly signedBytes: Uint8Array;
  readonly mac: Uint8Array;
};

const VERSION = 1;
const SITE_KEY_PREFIX = "pk_";
const SITE_KEY_BODY = /^[0-9A-Za-z]{22}$/;
const DIGEST_BYTES = 8;
const ID_BYTES = 16;
const MAC_BYTES = 16;

/** Offsets of the fields. Every field has a fixed width, and every number is little endian. */
const AT = {
  version: 0,
  algorithm: 1,
  k: 2,
  flags: 3,
  keyId: 4,
  difficulty: 8,
  lifeSeconds: 12,
  issuedAtMs: 14,
  addressFamily: 20,
  siteKey: 21,
  actionDigest: 43,
  userAgentDigest: 51,
  prefixDigest: 59,
  id: 67,
  mac: 83,
} as const;

const FLAG = { steppedUp: 1, click: 2, fallback: 4, priced: 8 } as const;
const KNOWN_FLAGS = FLAG.steppedUp | FLAG.click | FLAG.fallback | FLAG.priced;
const STAGE_FLAGS = {
  first: 0,
  stepped_up: FLAG.steppedUp,
  priced: FLAG.priced,
} as const satisfies Record<Challenge["stage"], number>;

function stageOf(flags: number): Challenge["stage"] {
  if ((flags & FLAG.priced) !== 0) return "priced";
  return (flags & FLAG.steppedUp) !== 0 ? "stepped_up" : "first";
}

/**
 * Bytes of a packed challenge, MAC included; a multiple of 3, so its base64url text has no unused
 * bits to change.
 */
export const CHALLENGE_BYTES = AT.mac + MAC_BYTES;

const isUint = (value: number, bits: number): boolean =>
  Number.isInteger(value) && value >= 0 && value < 2 ** bits;

const isAddressFamily = (value: number): value is 0 | 4 | 6 =>
  value === 0 || value === 4 || value === 6;

const isPackable = (challenge: Challenge): boolean =>
  isAlgorithmNumber(challenge.algorithm) &&
  isPuzzleSize(challenge.k, challenge.difficulty) &&
  isUint(challenge.keyId, 32) &&
  isUint(challenge.issuedAtMs, 48) &&
  isUint(challenge.lifeSeconds, 16) &&
  challenge.lifeSeconds > 0 &&
  isAddressFamily(challenge.addressFamily) &&
  challenge.siteKey.startsWith(SITE_KEY_PREFIX) &&
  SITE_KEY_BODY.test(challenge.siteKey.slice(SITE_KEY_PREFIX.length)) &&
  challenge.actionDigest.length === DIGEST_BYTES &&
  challenge.userAgentDigest.length === DIGEST_BYTES &&
  challenge.prefixDigest.length === DIGEST_BYTES &&
  challenge.id.length === ID_BYTES;

/**
 * Packs and signs a challenge. `mac` gets all bytes before the MAC and returns at least 16, of
 * which the first 16 are kept. Throws RangeError if a field does not fit: that is a bug, since the
 * service fills in the fields itself.
 */
export function packChallenge(
  challenge: Challenge,
  mac: (signedBytes: Uint8Array) => Uint8Array,
): Uint8Array<ArrayBuffer> {
  if (!isPackable(challenge))
    throw new RangeError("a field of the challenge does not fit its width");
  const bytes = new Uint8Array(CHALLENGE_BYTES);
  const view = new DataView(bytes.buffer);
  bytes[AT.version] = VERSION;
  bytes[AT.algorithm] = challenge.algorithm;
  bytes[AT.k] = challenge.k;
  bytes[AT.flags] =
    STAGE_FLAGS[challenge.stage] |
    (challenge.interaction === "click" ? FLAG.click : 0) |
    (challenge.isFallback ? FLAG.fallback : 0);
  view.setUint32(AT.keyId, challenge.keyId, true);
  view.setUint32(AT.difficulty, challenge.difficulty, true);
  view.setUint16(AT.lifeSeconds, challenge.lifeSeconds, true);
  view.setUint32(AT.issuedAtMs, challenge.issuedAtMs % 2 ** 32, true);
  view.setUint16(AT.issuedAtMs + 4, Math.floor(challenge.issuedAtMs / 2 ** 32), true);
  bytes[AT.addressFamily] = challenge.addressFamily;
  for (let i = 0; AT.siteKey + i < AT.actionDigest; i++) {
    bytes[AT.siteKey + i] = challenge.siteKey.charCodeAt(SITE_KEY_PREFIX.length + i);
  }
  bytes.set(challenge.actionDigest, AT.actionDigest);
  bytes.set(challenge.userAgentDigest, AT.userAgentDigest);
  bytes.set(challenge.prefixDigest, AT.prefixDigest);
  bytes.set(challenge.id, AT.id);
  const fullMac = mac(bytes.subarray(0, AT.mac));
  if (fullMac.length < MAC_BYTES)
    throw new RangeError(`a MAC of ${fullMac.length} bytes is too short`);
  bytes.set(fullMac.subarray(0, MAC_BYTES), AT.mac);
  return bytes;
}

/**
 * Takes apart what `packChallenge` wrote. Returns `undefined` for bytes that it cannot have
 * written: another length, version or algorithm, an unused bit set, a value out of range. The
 * caller checks the MAC, in constant time.
 */
export function unpackChallenge(bytes: Uint8Array): UnpackedChallenge | undefined {
  if (bytes.length !== CHALLENGE_BYTES || bytes[AT.version] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const algorithm = view.getUint8(AT.algorithm);
  const flags = view.getUint8(AT.flags);
  const addressFamily = view.getUint8(AT.addressFamily);
  if (
    !isAlgorithmNumber(algorithm) ||
    (flags & ~KNOWN_FLAGS) !== 0 ||
    !isAddressFamily(addressFamily)
  )
    return undefined;
  const challenge: Challenge = {
    algorithm,
    keyId: view.getUint32(AT.keyId, true),
    k: view.getUint8(AT.k),
    difficulty: view.getUint32(AT.difficulty, true),
    siteKey: SITE_KEY_PREFIX + String.fromCharCode(...bytes.subarray(AT.siteKey, AT.actionDigest)),
    stage: stageOf(flags),
    interaction: (flags & FLAG.click) !== 0 ? "click" : "none",
    isFallback: (flags & FLAG.fallback) !== 0,
    actionDigest: bytes.slice(AT.actionDigest, AT.userAgentDigest),
    userAgentDigest: bytes.slice(AT.userAgentDigest, AT.prefixDigest),
    addressFamily,
    prefixDigest: bytes.slice(AT.prefixDigest, AT.id),
    issuedAtMs:
      view.getUint32(AT.issuedAtMs, true) + view.getUint16(AT.issuedAtMs + 4, true) * 2 ** 32,
    lifeSeconds: view.getUint16(AT.lifeSeconds, true),
    id: bytes.slice(AT.id, AT.mac),
  };
  if (!isPackable(challenge)) return undefined;
  return { challenge, signedBytes: bytes.subarray(0, AT.mac), mac: bytes.slice(AT.mac) };
}
