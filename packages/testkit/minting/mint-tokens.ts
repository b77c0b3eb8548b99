import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Cryptography } from "@stile/core/ports/cryptography";
import { createTokenHeader, sealToken } from "@stile/core/services/token/seal-token";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { digestAddress, digestUserAgent } from "@stile/core/services/visitor/visitor-digests";
import type { SiteMode } from "@stile/protocol/site-settings";
import { openServiceCryptography } from "../service/service-cryptography.ts";

/** The visitor of a token, and its life; address and user agent are those it is bound to. */
export type MintedVisitor = {
  readonly lifeSeconds?: number;
  readonly address?: string;
  readonly userAgent?: string;
  /** Where it was solved; localhost by default. */
  readonly hostname?: string;
  /** 0.05 by default. */
  readonly score?: number;
  /** The mode of the widget; managed by default. */
  readonly mode?: SiteMode;
};

/** The kind and number of tokens. */
export type MintRequest = MintedVisitor & {
  readonly dataDirectory: string;
  readonly siteKey: string;
  readonly count: number;
};

/** Makes a token with the service's own cryptography and codec. */
export function mintToken(
  cryptography: Cryptography,
  siteKey: string,
  visitor: MintedVisitor,
): string {
  const nowMs = Date.now();
  const header = createTokenHeader(cryptography, nowMs);
  const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const address = visitor.address === undefined ? undefined : parseIpAddress(visitor.address);
  return sealToken(cryptography, header, {
    siteKey,
    mode: visitor.mode ?? "managed",
    expiresAtMs: nowMs + (visitor.lifeSeconds ?? 300) * 1000,
    challengeAtMs: nowMs,
    score: visitor.score ?? 0.05,
    ...digestAddress(cryptography, key, address),
    userAgentDigest: digestUserAgent(cryptography, key, visitor.userAgent ?? ""),
    actionName: undefined,
    cdata: undefined,
    hostname: visitor.hostname ?? "localhost",
    isScriptless: false,
  });
}

/** Tokens made with the service's own keys, since earning each by work would take minutes. */
export async function mintTokens(request: MintRequest): Promise<string[]> {
  const { dataDirectory, siteKey, count, ...visitor } = request;
  const cryptography = await openServiceCryptography(dataDirectory);
  return Array.from({ length: count }, () => mintToken(cryptography, siteKey, visitor));
}
