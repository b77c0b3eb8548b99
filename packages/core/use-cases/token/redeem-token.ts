import { REPEAT_SECONDS } from "@stile/protocol/limits";
import { isReservedResponse } from "@stile/protocol/reserved-responses";
import type { VendorVerdict } from "@stile/protocol/vendor-verdicts";
import { assess } from "@stile/risk/assess";
import { lengthPrefixed } from "../../domain/bytes.ts";
import { payerOf } from "../../domain/site/payer.ts";
import type { Site } from "../../domain/site/site.ts";
import { findTestSecret } from "../../domain/site/test-keys.ts";
import { redeemedMetrics, vendorMetric } from "../../domain/statistics/metrics.ts";
import {
  type BindingClaim,
  differInNetwork,
  findBindingDifferences,
  toHistoryEvidence,
} from "../../domain/token/binding.ts";
import type { RedeemAnswer, RedemptionRefusal } from "../../domain/token/redeem-answer.ts";
import {
  findRefusal,
  isExpired,
  type RedemptionCase,
  recommendForToken,
  retainSpentUntilMs,
} from "../../domain/token/redemption.ts";
import type { Redemption, RedemptionOutcome } from "../../domain/token/single-use.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { authenticateSecret, type Caller } from "../../services/site/authenticate-secret.ts";
import { type SiteChanged, withFreshSite } from "../../services/site/with-fresh-site.ts";
import { toBindingClaim, type VisitorClaim } from "../../services/token/binding-claim.ts";
import { type OpenToken, openToken, openWithNewerKey } from "../../services/token/seal-token.ts";
import { redeemTestToken } from "../../services/token/test-token.ts";
import { agentName, networkName } from "../../services/visitor/visitor-digests.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "followKeys"
  | "settings"
  | "directory"
  | "keyUsage"
  | "tokens"
  | "tokenUsage"
  | "usualEarnings"
  | "localLimiter"
  | "visitorMemory"
  | "statistics"
  | "securityEvents"
>;

/** The fields of POST /api/v1/token/verify (D2, redemption). */
export type RedeemFields = VisitorClaim & {
  /** Undefined if the token was absent, empty or not a string. */
  readonly token: string | undefined;
  readonly siteKey: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** For how long an exact repeat gets the same answer; never longer than REPEAT_SECONDS. */
  readonly repeatSeconds?: number | undefined;
  /** Only for the statistics. Absent in calls of other vendors' libraries, which can't send it. */
  readonly vendorVerdict?: VendorVerdict | undefined;
};

/** The content of a redemption's body, if it can be read. */
export type RedeemReading =
  | { readonly kind: "fields"; readonly fields: RedeemFields }
  /**
   * Larger than a body with a token needs, so the text at the token's place is not from this
   * service.
   */
  | { readonly kind: "too_much" }
  | { readonly kind: "malformed"; readonly message: string };

/**
 * The body as it arrived. It is read only after the secret key proved right, which is checked first
 * (D2, redemption).
 */
export type RedeemBody =
  | { readonly kind: "received"; readonly read: () => RedeemReading }
  | { readonly kind: "too_large" };

/**
 * How long the agent of a redeemed token counts as known, in ms; it helps when challenges run short
 * (D10, limits).
 */
const KNOWN_MS = 3_600_000;

/**
 * Redeems a token for the customer's server: authenticate, read, open, find a refusal, then spend
 * exactly once (D2, redemption; D3, single use).
 */
export async function redeemToken(
  ports: Ports,
  caller: Caller,
  body: RedeemBody,
): Promise<RedeemAnswer> {
  const test = findTestSecret(ports.settings.testPlace, caller.secretKey);
  if (test !== undefined) {
    const read = () => (body.kind === "too_large" ? body : body.read());
    return await redeemTestToken(ports, test, caller, read);
  }
  return await withFreshSite<RedeemAnswer>(ports.directory, async () => {
    const authentication = await authenticateSecret(ports, caller);
    if (authentication.kind !== "site")
      return body.kind === "too_large" ? { kind: "too_large" } : authentication;
    const { site } = authentication;
    const checked = await check(ports, site, body);
    return checked.kind === "refused" || checked.kind === "malformed"
      ? answerUnspent(ports, site, checked)
      : checked;
  });
}

type Malformed = { readonly kind: "malformed"; readonly message: string };
type Checked =
  | Extract<RedeemAnswer, { kind: "verified" | "limited" }>
  | RedemptionRefusal
  | Malformed
  | SiteChanged;

/**
 * Refusals share a separate bucket, so that they never use up the limit for fresh tokens (D2,
 * redemption).
 */
function answerUnspent(
  ports: Ports,
  site: Site,
  checked: RedemptionRefusal | Malformed,
): RedeemAnswer {
  const nowMs = ports.clock.nowMs();
  const limit = ports.localLimiter.consume({
    scope: `refused:${site.siteKey}`,
    perMinute: site.verifyPerMinute ?? ports.settings.limits.verify,
    nowMs,
  });
  if (!limit.isAdmitted) return { kind: "limited", limit };
  // Replays were counted by the write that found them, even those over the limit.
  if (checked.kind === "refused" && checked.reasonCode !== "token_already_used") {
    ports.statistics.count({
      siteKey: site.siteKey,
      metric: `refused:${checked.reasonCode}`,
      atMs: nowMs,
    });
  }
  return { ...checked, limit };
}

/** The checks of D2 (redemption) from the body on, in their order. The first failure decides. */
async function check(ports: Ports, site: Site, body: RedeemBody): Promise<Checked> {
  const reading = body.kind === "too_large" ? body : body.read();
  if (reading.kind === "malformed") return reading;
  if (reading.kind !== "fields")
    return { kind: "refused", reasonCode: "invalid_signature", score: 1 };
  const { fields } = reading;
  if (fields.token === undefined) return { kind: "refused", reasonCode: "missing_token", score: 1 };
  if (isReservedResponse(fields.token)) {
    return { kind: "refused", reasonCode: "missing_token", score: 1, reserved: fields.token };
  }
  const token =
    openToken(ports.cryptography, fields.token) ?? (await openWithNewerKey(ports, fields.token));
  if (token === undefined) return { kind: "refused", reasonCode: "invalid_signature", score: 1 };
  const claim = toBindingClaim(ports.cryptography, token, fields);
  const candidate = await toCase(ports, site, { fields, token, claim });
  const refusal = findRefusal(candidate);
  if (refusal !== undefined) return refusal;
  const redemption = toRedemption(ports, candidate, fields, token);
  const outcome = await redeemInTime(ports, redemption, fields.repeatSeconds);
  if (outcome.kind === "spent") followToken(ports, candidate, claim);
  return toAnswer(ports, outcome, candidate);
}

/**
 * Redeems in the ledger, which repeats answers for REPEAT_SECONDS. If this call's time for repeats
 * is shorter and over, the ledger is asked again without the key, and counts a replay.
 */
async function redeemInTime(
  { tokens }: Ports,
  redemption: Redemption,
  repeatSeconds = REPEAT_SECONDS,
): Promise<RedemptionOutcome> {
  const outcome = await tokens.redeem(redemption);
  const isLate =
    outcome.kind === "repeated" && redemption.nowMs - outcome.atMs >= repeatSeconds * 1000;
  return isLate ? await tokens.redeem({ ...redemption, repeatDigest: undefined }) : outcome;
}

async function toCase(
  ports: Ports,
  site: Site,
  presented: { fields: RedeemFields; token: OpenToken; claim: BindingClaim },
): Promise<RedemptionCase> {
  const { fields } = presented;
  const { header, payload } = presented.token;
  const nowMs = ports.clock.nowMs();
  const tokenSite =
    payload.siteKey === site.siteKey ? site : await ports.directory.findSite(payload.siteKey);
  return {
    site,
    claimedSiteKey: fields.siteKey,
    token: payload,
    doesTokenSiteExist: tokenSite !== undefined && tokenSite.deletedAtMs === null,
    hasExpired: isExpired(payload, ports.cryptography.isRetired(header.keyId), nowMs),
    hasIdempotencyKey: fields.idempotencyKey !== undefined,
    nowMs,
    differences: findBindingDifferences(payload, presented.claim, ports.cryptography.isEqual),
  };
}

/**
 * Tells the counters that a token of its network was redeemed; called once, since a token is spent
 * once.
 */
function followToken(ports: Ports, redeemed: RedemptionCase, claim: BindingClaim): void {
  const { site, token, nowMs } = redeemed;
  const network = networkName(token);
  if (network === undefined) return;
  const { siteKey } = site;
  const isTraced = site.binding !== "off" && typeof claim.address === "object";
  const hasMoved = isTraced ? differInNetwork(redeemed.differences) : undefined;
  if (hasMoved !== true) {
    // It ignores the score: the price that visitors pay must not reveal their score.
    const agent = agentName(network, token.userAgentDigest);
    ports.visitorMemory.recordRedeemed(payerOf(ports.settings, site), agent, nowMs + KNOWN_MS);
  }
  const use = { siteKey, network, earnedAtMs: token.challengeAtMs, nowMs, hasMoved };
  const usage = ports.tokenUsage.recordRedeemed(use);
  // Tokens that are redeemed elsewhere are a farm's, and make no network usual.
  if (hasMoved !== true) ports.usualEarnings.record(siteKey, usage, nowMs);
}

function toRedemption(
  ports: Ports,
  candidate: RedemptionCase,
  fields: RedeemFields,
  { header }: OpenToken,
): Redemption {
  const { site, token } = candidate;
  const { vendorVerdict } = fields;
  return {
    siteKey: site.siteKey,
    siteRevision: site.revision,
    tokenId: header.id,
    issuedAtMs: token.challengeAtMs,
    retainUntilMs: retainSpentUntilMs(token),
    nowMs: candidate.nowMs,
    isRepeatOnly: candidate.hasExpired,
    perMinute: site.verifyPerMinute ?? ports.settings.limits.verify,
    repeatDigest: repeatDigest(ports, site, fields, header.id),
    onSpent:
      vendorVerdict === undefined
        ? redeemedMetrics(token.score)
        : [
            ...redeemedMetrics(token.score),
            vendorMetric(vendorVerdict, answeredScore(ports, candidate)),
          ],
    // Only the write can detect a replay, so it counts it.
    onReplayed: ["refused:token_already_used"],
  };
}

/**
 * Digest of everything that an exact repeat shares (D2, redemption). A key that equals the token
 * does not identify a call.
 */
function repeatDigest(
  ports: Ports,
  site: Site,
  fields: RedeemFields,
  tokenId: Uint8Array,
): Uint8Array | undefined {
  const { idempotencyKey, remoteIp, userAgent } = fields;
  if (idempotencyKey === undefined || idempotencyKey === fields.token) return undefined;
  const texts = [site.siteKey, idempotencyKey, presence(remoteIp), presence(userAgent)];
  return ports.cryptography.digest(lengthPrefixed([tokenId, ...texts]));
}

/** Makes an absent text differ from an empty one. */
function presence(text: string | undefined): string {
  return text === undefined ? "" : `=${text}`;
}

/**
 * The token's score, raised if the visitor differs from the one who earned the token (D5, binding).
 */
function answeredScore(ports: Ports, { site, token, differences }: RedemptionCase): number {
  if (site.binding === "off" || differences.length === 0) return token.score;
  const evidence = { tokenScore: token.score, history: toHistoryEvidence(differences) };
  return assess(evidence, ports.settings.flagWeights).score;
}

function toAnswer(ports: Ports, outcome: RedemptionOutcome, candidate: RedemptionCase): Checked {
  const { token } = candidate;
  switch (outcome.kind) {
    case "limited":
      return outcome;
    case "site_changed":
      return { kind: "site_changed", siteKey: candidate.site.siteKey };
    case "not_repeated":
      return { kind: "refused", reasonCode: "token_expired", score: token.score };
    case "already_used":
      return { kind: "refused", reasonCode: "token_already_used", score: token.score };
    case "spent":
    case "repeated": {
      const { site } = candidate;
      const score = answeredScore(ports, candidate);
      return {
        kind: "verified",
        verdict: {
          score,
          recommendation: recommendForToken(token, score, site),
          hostname: token.hostname,
          actionName: token.actionName,
          cdata: token.cdata,
          isScriptless: token.isScriptless,
          verifiedAtMs: outcome.atMs,
          challengeAtMs: token.challengeAtMs,
        },
        limit: outcome.kind === "spent" ? outcome.limit : undefined,
      };
    }
    default:
      return outcome satisfies never;
  }
}
