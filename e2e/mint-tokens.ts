import { parseClientAddress } from "@stile/core/domain/client-address";
import { digestAddress, digestUserAgent } from "@stile/core/flows/steps/binding-digests";
import { keyReference } from "@stile/core/flows/steps/key-references";
import { createTokenHeader, sealToken } from "@stile/core/flows/steps/token-sealing";
import { openServiceCryptography } from "./service-cryptography.ts";

/** What a minted token says; the address and user agent are those it is bound to. */
export type MintRequest = {
  readonly dataDirectory: string;
  readonly siteKey: string;
  readonly count: number;
  readonly lifeSeconds?: number;
  readonly address?: string;
  readonly userAgent?: string;
  /** Where it was solved; localhost unless told. */
  readonly hostname?: string;
};

/** Tokens made with the service's own keys and codec, where earning each by work would take minutes. */
export async function mintTokens(request: MintRequest): Promise<string[]> {
  const cryptography = await openServiceCryptography(request.dataDirectory);
  return Array.from({ length: request.count }, () => {
    const nowMs = Date.now();
    const header = createTokenHeader(cryptography, nowMs);
    const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
    const address = request.address === undefined ? undefined : parseClientAddress(request.address);
    return sealToken(cryptography, header, {
      siteKey: request.siteKey,
      mode: "managed",
      expiresAtMs: nowMs + (request.lifeSeconds ?? 300) * 1000,
      challengeAtMs: nowMs,
      score: 0.05,
      ...digestAddress(cryptography, key, address),
      userAgentDigest: digestUserAgent(cryptography, key, request.userAgent ?? ""),
      actionName: undefined,
      cdata: undefined,
      hostname: request.hostname ?? "localhost",
    });
  });
}
