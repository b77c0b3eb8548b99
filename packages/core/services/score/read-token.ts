import { TEXT_LIMITS } from "@stile/protocol/limits";
import { isReservedResponse } from "@stile/protocol/reserved-responses";
import type { Site } from "../../domain/site/site.ts";
import type { BindingDifference } from "../../domain/token/binding.ts";
import { isExpired, retainSpentUntilMs } from "../../domain/token/redemption.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findSiteDifferences, toBindingClaim, type VisitorClaim } from "../token/binding-claim.ts";
import { openToken, openWithNewerKey } from "../token/seal-token.ts";

/** The claims of a token about its visitor. */
export type TokenReading = {
  /** The score, if the token could be redeemed now. */
  readonly score: number | undefined;
  readonly differences: readonly BindingDifference[];
  readonly isInvalid: boolean;
};

/**
 * Scores that one token is valid for on a node: enough for a form of several steps, too few to
 * share it (D7, score request).
 */
const MOST_SCORES_PER_TOKEN = 10;

const NONE: TokenReading = { score: undefined, differences: [], isInvalid: false };
const UNUSABLE: TokenReading = { score: undefined, differences: [], isInvalid: true };

/**
 * Reads a token without spending it. Forged, foreign, expired, spent and overused tokens give one
 * and the same result; no token and a reserved word of the widget give the other (D2, redemption;
 * D7, score request).
 */
export async function readToken(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "followKeys" | "tokens" | "scoredTokens">,
  site: Site,
  fields: VisitorClaim & { readonly token: string | undefined },
  nowMs: number,
): Promise<TokenReading> {
  if (fields.token === undefined || isReservedResponse(fields.token)) return NONE;
  if (fields.token.length > TEXT_LIMITS.tokenAccepted) return UNUSABLE;
  const token =
    openToken(ports.cryptography, fields.token) ?? (await openWithNewerKey(ports, fields.token));
  if (token === undefined || token.payload.siteKey !== site.siteKey) return UNUSABLE;
  const isRetired = ports.cryptography.isRetired(token.header.keyId);
  if (isExpired(token.payload, isRetired, nowMs)) return UNUSABLE;
  const mark = {
    siteKey: site.siteKey,
    tokenId: token.header.id,
    retainUntilMs: retainSpentUntilMs(token.payload),
  };
  if (await ports.tokens.isSpent(mark)) return UNUSABLE;
  if (ports.scoredTokens.countUse(token.header.id) > MOST_SCORES_PER_TOKEN) return UNUSABLE;
  // Check the expiry again after the read, because spent marks are swept once their token has
  // expired.
  if (isExpired(token.payload, isRetired, ports.clock.nowMs())) return UNUSABLE;
  const claim = toBindingClaim(ports.cryptography, token, fields);
  const differences = findSiteDifferences(ports.cryptography, site, token.payload, claim);
  return { score: token.payload.score, differences, isInvalid: false };
}
