import {
  encodeToken,
  packTokenHeader,
  packTokenPayload,
  parseToken,
  type TokenHeader,
  type TokenPayload,
  unpackTokenPayload,
} from "../../domain/token/token.ts";
import type { Cryptography } from "../../ports/cryptography.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { keyReference } from "../visitor/key-reference.ts";

/** An authentic token that was opened. */
export type OpenToken = { readonly header: TokenHeader; readonly payload: TokenPayload };

const TOKEN_ID_BYTES = 12;

/** A header for a token issued now. */
export function createTokenHeader(cryptography: Cryptography, nowMs: number): TokenHeader {
  return {
    keyId: cryptography.currentKeyId(),
    issuedAtSeconds: Math.floor(nowMs / 1000),
    id: cryptography.randomBytes(TOKEN_ID_BYTES),
  };
}

/**
 * Encrypts and authenticates a payload; the result is the text that the visitor carries (D4, sealed
 * token).
 */
export function sealToken(
  cryptography: Cryptography,
  header: TokenHeader,
  payload: TokenPayload,
): string {
  const headerBytes = packTokenHeader(header);
  const key = keyReference(header.keyId, "token", header.issuedAtSeconds * 1000);
  return encodeToken(
    headerBytes,
    cryptography.seal(key, header.id, packTokenPayload(payload), headerBytes),
  );
}

/**
 * Opens a token; undefined if it is malformed, not canonical, forged, or sealed with a key that is
 * gone (D3, single use; D4, sealed token).
 */
export function openToken(cryptography: Cryptography, text: string): OpenToken | undefined {
  const parts = parseToken(text);
  if (parts === undefined) return undefined;
  const key = keyReference(parts.header.keyId, "token", parts.header.issuedAtSeconds * 1000);
  const plaintext = cryptography.open(key, parts.header.id, parts.sealed, parts.headerBytes);
  return plaintext && { header: parts.header, payload: unpackTokenPayload(plaintext) };
}

/**
 * Opens a token that was sealed with a newer key than this node has, after reading the keys again:
 * where the old keys were retired, another node seals with a new key at once. Forged key ids cost
 * no more than such readings, which calls share.
 */
export async function openWithNewerKey(
  { cryptography, followKeys }: Pick<ServicePorts, "cryptography" | "followKeys">,
  text: string,
): Promise<OpenToken | undefined> {
  if (followKeys === undefined) return undefined;
  const keyId = parseToken(text)?.header.keyId;
  if (keyId === undefined || keyId <= cryptography.currentKeyId()) return undefined;
  await followKeys();
  return openToken(cryptography, text);
}
