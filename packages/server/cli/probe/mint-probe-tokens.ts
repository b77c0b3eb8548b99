import { retainSpentUntilMs } from "@stile/core/domain/token/redemption";
import type { TokenPayload } from "@stile/core/domain/token/token";
import type { Cryptography } from "@stile/core/ports/cryptography";
import type { TokenLedger } from "@stile/core/ports/token/token-ledger";
import { createTokenHeader, openToken, sealToken } from "@stile/core/services/token/seal-token";
import { keyReference } from "@stile/core/services/visitor/key-reference";
import { digestAddress, digestUserAgent } from "@stile/core/services/visitor/visitor-digests";

/** How long a token of a probe is valid. Each is sent at once. */
const LIFE_MS = 30_000;
/** The score of a person. */
const SCORE = 0.05;

/** The page that a token is for, and the user agent that sends it. */
export type ProbedPage = Pick<
  TokenPayload,
  "siteKey" | "mode" | "hostname" | "actionName" | "cdata"
> & {
  readonly userAgent: string;
};

/**
 * A token sealed by the service's key. The master key opens that key, so an operator gains no power
 * by this. The token is bound to no address, since the server may see another one than this command.
 */
export function mintProbeToken(
  cryptography: Cryptography,
  { userAgent, ...page }: ProbedPage,
  hasExpired = false,
): string {
  const nowMs = Date.now();
  const header = createTokenHeader(cryptography, nowMs);
  const key = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  return sealToken(cryptography, header, {
    ...page,
    expiresAtMs: hasExpired ? nowMs - LIFE_MS : nowMs + LIFE_MS,
    challengeAtMs: nowMs,
    score: SCORE,
    ...digestAddress(cryptography, key, undefined),
    userAgentDigest: digestUserAgent(cryptography, key, userAgent),
    isScriptless: false,
  });
}

/** The token with its last byte changed: it has the form of a token, and no key has sealed it. */
export function forge(token: string): string {
  const bytes = Buffer.from(token, "base64url");
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes.toString("base64url");
}

/** Whether a server has redeemed the token. */
export async function isRedeemed(
  cryptography: Cryptography,
  tokens: TokenLedger,
  token: string,
): Promise<boolean> {
  const { header, payload } = openToken(cryptography, token) as NonNullable<
    ReturnType<typeof openToken>
  >;
  const retainUntilMs = retainSpentUntilMs(payload);
  return tokens.isSpent({ siteKey: payload.siteKey, tokenId: header.id, retainUntilMs });
}
