import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import { TEXT_LIMITS } from "@stile/protocol/limits";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import { decodeUtf8, encodeUtf8 } from "../bytes.ts";

/**
 * The readable part in front of the ciphertext, which is authenticated with it (D4, sealed token).
 */
export type TokenHeader = {
  readonly keyId: number;
  readonly issuedAtSeconds: number;
  /**
   * 12 random bytes: the GCM nonce and the token's id in one (D3, single use; D4, sealed token).
   */
  readonly id: Uint8Array;
};

/** The content of a token, which only the service can read (D4, sealed token). */
export type TokenPayload = {
  readonly siteKey: string;
  readonly mode: SiteMode;
  readonly expiresAtMs: number;
  /** When the challenge was solved (spec 2.1 `challenge_ts`). */
  readonly challengeAtMs: number;
  /** Published score, 0..1 in hundredths (D6, scores). */
  readonly score: number;
  /** Family of the client's address; 0 if the token is not bound to one (D5, binding). */
  readonly addressFamily: 0 | 4 | 6;
  /** Keyed digest of the client's prefix, 8 bytes. */
  readonly prefixDigest: Uint8Array;
  /** Keyed digest of the user agent, 8 bytes. */
  readonly userAgentDigest: Uint8Array;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  readonly hostname: string;
  /** Whether the visitor had no JavaScript and waited for it (D18, no JavaScript). */
  readonly isScriptless: boolean;
};

/** A token taken apart. Nothing of it is authentic until it has been opened. */
export type TokenParts = {
  readonly header: TokenHeader;
  /** The bytes of the header, which are the associated data. */
  readonly headerBytes: Uint8Array;
  readonly sealed: Uint8Array;
};

const VERSION = 1;
const ID_BYTES = 12;
const DIGEST_BYTES = 8;
const HEADER_BYTES = 1 + 4 + 4 + ID_BYTES;
const TAG_BYTES = 16;
const SITE_KEY_BODY = 22;
const FIXED_BYTES = SITE_KEY_BODY + 1 + 6 + 6 + 1 + 1 + 2 * DIGEST_BYTES + 1;
const MODES = Object.keys(SITE_MODES) as SiteMode[];
/** Bits that distinguish an absent text from an empty one, and say how the token was earned. */
const HAS_ACTION = 1;
const HAS_CDATA = 2;
const IS_SCRIPTLESS = 4;

/** The bytes of the header: version, key id, issue time, id; big endian. */
export function packTokenHeader(header: TokenHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, header.keyId);
  view.setUint32(5, header.issuedAtSeconds);
  bytes.set(header.id, 9);
  return bytes;
}

/** The text of a token: its header, then its ciphertext with tag. */
export function encodeToken(headerBytes: Uint8Array, sealed: Uint8Array): string {
  const bytes = new Uint8Array(headerBytes.length + sealed.length);
  bytes.set(headerBytes);
  bytes.set(sealed, headerBytes.length);
  return encodeBase64url(bytes);
}

/**
 * Splits the text of a token; undefined if it cannot be a token or is not in its canonical spelling
 * (D3, single use).
 */
export function parseToken(text: string): TokenParts | undefined {
  if (text.length > TEXT_LIMITS.tokenAccepted) return undefined;
  const bytes = decodeBase64url(text);
  if (
    bytes === undefined ||
    bytes.length < HEADER_BYTES + FIXED_BYTES + TAG_BYTES ||
    bytes[0] !== VERSION
  ) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    header: {
      keyId: view.getUint32(1),
      issuedAtSeconds: view.getUint32(5),
      id: bytes.subarray(9, HEADER_BYTES),
    },
    headerBytes: bytes.subarray(0, HEADER_BYTES),
    sealed: bytes.subarray(HEADER_BYTES),
  };
}

function setUint48(view: DataView, at: number, value: number): void {
  view.setUint16(at, Math.floor(value / 2 ** 32));
  view.setUint32(at + 2, value % 2 ** 32);
}

function getUint48(view: DataView, at: number): number {
  return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2);
}

function packText(text: string, limit: number, name: string): Uint8Array {
  const bytes = encodeUtf8(text);
  if (bytes.length > limit)
    throw new RangeError(`${name} is ${bytes.length} bytes long, at most ${limit} fit a token`);
  return bytes;
}

/**
 * The payload's bytes: fixed-width fields, then each text after a one-byte length (D4, sealed
 * token). RangeError for long texts.
 */
export function packTokenPayload(payload: TokenPayload): Uint8Array {
  const texts = [
    packText(payload.actionName ?? "", TEXT_LIMITS.actionName, "action"),
    packText(payload.cdata ?? "", TEXT_LIMITS.cdata, "cdata"),
    packText(payload.hostname, TEXT_LIMITS.hostname, "hostname"),
  ];
  const bytes = new Uint8Array(FIXED_BYTES + texts.reduce((sum, text) => sum + 1 + text.length, 0));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < SITE_KEY_BODY; i++) bytes[i] = payload.siteKey.charCodeAt(3 + i);
  let at = SITE_KEY_BODY;
  view.setUint8(at, MODES.indexOf(payload.mode));
  setUint48(view, at + 1, payload.expiresAtMs);
  setUint48(view, at + 7, payload.challengeAtMs);
  view.setUint8(at + 13, Math.round(payload.score * 100));
  view.setUint8(at + 14, payload.addressFamily);
  bytes.set(payload.prefixDigest, at + 15);
  bytes.set(payload.userAgentDigest, at + 15 + DIGEST_BYTES);
  at += 15 + 2 * DIGEST_BYTES;
  view.setUint8(
    at,
    (payload.actionName === undefined ? 0 : HAS_ACTION) |
      (payload.cdata === undefined ? 0 : HAS_CDATA) |
      (payload.isScriptless ? IS_SCRIPTLESS : 0),
  );
  at += 1;
  for (const text of texts) {
    view.setUint8(at, text.length);
    bytes.set(text, at + 1);
    at += 1 + text.length;
  }
  return bytes;
}

/** Reads what `packTokenPayload` wrote. Pass authentic bytes only. */
export function unpackTokenPayload(bytes: Uint8Array): TokenPayload {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let siteKey = "pk_";
  for (let i = 0; i < SITE_KEY_BODY; i++) siteKey += String.fromCharCode(view.getUint8(i));
  const mode = MODES[view.getUint8(SITE_KEY_BODY)];
  if (mode === undefined) throw new RangeError("an authentic token names an unknown mode");
  const fixed = SITE_KEY_BODY;
  const digestsAt = fixed + 15;
  const flagsAt = digestsAt + 2 * DIGEST_BYTES;
  const texts: string[] = [];
  for (let at = flagsAt + 1; at < bytes.length; ) {
    const length = view.getUint8(at);
    texts.push(decodeUtf8(bytes.subarray(at + 1, at + 1 + length)));
    at += 1 + length;
  }
  const flags = view.getUint8(flagsAt);
  return {
    siteKey,
    mode,
    expiresAtMs: getUint48(view, fixed + 1),
    challengeAtMs: getUint48(view, fixed + 7),
    score: view.getUint8(fixed + 13) / 100,
    addressFamily: view.getUint8(fixed + 14) as 0 | 4 | 6,
    prefixDigest: bytes.subarray(digestsAt, digestsAt + DIGEST_BYTES),
    userAgentDigest: bytes.subarray(digestsAt + DIGEST_BYTES, flagsAt),
    actionName: flags & HAS_ACTION ? texts[0] : undefined,
    cdata: flags & HAS_CDATA ? texts[1] : undefined,
    hostname: texts[2] ?? "",
    isScriptless: (flags & IS_SCRIPTLESS) !== 0,
  };
}
