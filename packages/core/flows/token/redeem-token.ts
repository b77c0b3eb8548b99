import { assess } from "@stile/risk/assess";
import { encodeUtf8, lengthPrefixed } from "../../domain/bytes.ts";
import type { Site } from "../../domain/site/site.ts";
import { redeemedMetrics } from "../../domain/statistics/metrics.ts";
import {
  type BindingClaim,
  findBindingDifferences,
  hasChangedNetwork,
  toHistoryEvidence,
} from "../../domain/token/binding.ts";
import {
  findBindingRefusal,
  findForeignRefusal,
  isExpired,
  type RedemptionCase,
  retainSpentUntilMs,
} from "../../domain/token/redemption.ts";
import type { RedeemAnswer, RedemptionRefusal } from "../../domain/token/verdict.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { RedemptionOutcome } from "../../ports/token/token-ledger.ts";
import { payerOf } from "../challenge/challenge-budget.ts";
import { authenticateSecret, type Caller } from "../site/authenticate-secret.ts";
import { agentName, networkName } from "../visitor/visitor-digests.ts";
import { toBindingClaim, type VisitorClaim } from "./binding-claim.ts";
import { type OpenToken, openToken } from "./seal-token.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "keyUsage"
  | "tokens"
  | "tokenUsage"
  | "localLimiter"
  | "visitorMemory"
  | "statistics"
  | "securityEvents"
>;

/** The fields of POST /api/v1/token/verify (D2). */
export type RedeemFields = VisitorClaim & {
  /** Undefined if the token was absent, empty or no string. */
  readonly token: string | undefined;
  readonly siteKey: string | undefined;
  readonly idempotencyKey: string | undefined;
};

/** What the body of a redemption says, if it can be read. */
export type RedeemReading =
  | { readonly kind: "fields"; readonly fields: RedeemFields }
  | { readonly kind: "malformed"; readonly message: string };

/** The body as it came to the door; it is read only behind a right secret key, which is judged first (D2). */
export type RedeemBody =
  | { readonly kind: "received"; readonly read: () => RedeemReading }
  | { readonly kind: "too_large" };

/** How long the agent of a redeemed token is known when its account's challenges run short (D10). */
const KNOWN_MS = 3_600_000;

/** How often a redemption is judged again because its site changed meanwhile, before that counts as a fault. */
const MAX_ATTEMPTS = 4;

/** Redeems a token for the customer's server: authenticate, open, find a refusal, then spend exactly once (D2, D3). */
export async function redeemToken(ports: Ports, caller: Caller, body: RedeemBody): Promise<RedeemAnswer> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const authentication = await authenticateSecret(ports, caller);
    if (authentication.kind !== "site") {
      return body.kind === "too_large" ? { kind: "too_large" } : authentication;
    }
    const { site } = authentication;
    const judged = await judgeBody(ports, site, body);
    if (judged.kind === "verified") return judged;
    if (judged.kind === "limited") return judged;
    if (judged.kind !== "site_changed") return answerUnspent(ports, site, judged);
    ports.directory.forget(site.siteKey);
  }
  throw new Error(`the site changed ${MAX_ATTEMPTS} times within one redemption`);
}

type Malformed = { readonly kind: "malformed"; readonly message: string };
type Judged =
  | Extract<RedeemAnswer, { kind: "verified" | "limited" }>
  | RedemptionRefusal
  | Malformed
  | { kind: "site_changed" };

/** Refusals share a bucket of their own, which never refuses a fresh token (D2). */
function answerUnspent(ports: Ports, site: Site, judged: RedemptionRefusal | Malformed): RedeemAnswer {
  const nowMs = ports.clock.nowMs();
  const limit = ports.localLimiter.consume({
    scope: `refused:${site.siteKey}`,
    perMinute: site.verifyPerMinute ?? ports.settings.limits.verify,
    nowMs,
  });
  if (!limit.isAdmitted) return { kind: "limited", limit };
  // Replays were counted by the write that found them, those over the limit too.
  if (judged.kind === "refused" && judged.reasonCode !== "token_already_used") {
    ports.statistics.count({ siteKey: site.siteKey, metric: `refused:${judged.reasonCode}`, atMs: nowMs });
  }
  return { ...judged, limit };
}

async function judgeBody(ports: Ports, site: Site, body: RedeemBody): Promise<Judged> {
  if (body.kind === "too_large") return { kind: "refused", reasonCode: "invalid_signature", score: 1 };
  const reading = body.read();
  if (reading.kind === "malformed") return reading;
  const { fields } = reading;
  if (fields.token === undefined) return { kind: "refused", reasonCode: "missing_token", score: 1 };
  const token = openToken(ports.cryptography, fields.token);
  if (token === undefined) return { kind: "refused", reasonCode: "invalid_signature", score: 1 };
  return await judgeToken(ports, site, fields, token);
}

async function judgeToken(ports: Ports, site: Site, fields: RedeemFields, token: OpenToken): Promise<Judged> {
  const { payload } = token;
  const nowMs = ports.clock.nowMs();
  const isOwn = payload.siteKey === site.siteKey;
  const tokenSite = isOwn ? site : await ports.directory.findSite(payload.siteKey);
  const claim = toBindingClaim(ports.cryptography, token, fields);
  const candidate: RedemptionCase = {
    site,
    claimedSiteKey: fields.siteKey,
    token: payload,
    doesTokenSiteExist: tokenSite !== undefined && tokenSite.deletedAtMs === null,
    nowMs,
    differences: findBindingDifferences(payload, claim, ports.cryptography.isEqual),
  };
  const foreign = findForeignRefusal(candidate);
  if (foreign !== undefined) return foreign;
  const hasExpired = isExpired(payload, nowMs) || ports.cryptography.isRetired(token.header.keyId);
  const mayRepeat = fields.idempotencyKey !== undefined && nowMs < retainSpentUntilMs(payload);
  const expired: RedemptionRefusal = { kind: "refused", reasonCode: "token_expired", score: payload.score };
  if (hasExpired && !mayRepeat) return expired;
  const mismatch = findBindingRefusal(candidate);
  if (mismatch !== undefined) return hasExpired ? expired : mismatch;
  const outcome = await spend(ports, site, fields, token, { nowMs, isRepeatOnly: hasExpired });
  if (hasExpired && outcome.kind !== "repeated" && outcome.kind !== "site_changed") return expired;
  if (outcome.kind === "spent") followToken(ports, candidate, claim);
  return toAnswer(ports, outcome, candidate);
}

/** How long the agent of a redeemed token pays half for its next ones, such as for a form sent twice. */
const REDEEMED_MS = 600_000;

/** Tells the counters what became of a token of its network; once, since a token is spent once. */
function followToken(ports: Ports, { site, token, differences, nowMs }: RedemptionCase, claim: BindingClaim): void {
  const network = networkName(token);
  if (network === undefined) return;
  const { siteKey } = site;
  const isTraced = site.binding !== "off" && typeof claim.address === "object";
  const hasMoved = isTraced ? hasChangedNetwork(differences) : undefined;
  if (hasMoved !== true) {
    // Whatever the score: what visitors pay must not tell them how they were judged.
    const agent = agentName(network, token.userAgentDigest);
    ports.visitorMemory.recordRedeemed(siteKey, agent, nowMs + REDEEMED_MS);
    ports.visitorMemory.recordRedeemed(payerOf(ports.settings, site), agent, nowMs + KNOWN_MS);
  }
  ports.tokenUsage.recordRedeemed({ siteKey, network, earnedAtMs: token.challengeAtMs, nowMs, hasMoved });
}

async function spend(
  ports: Ports,
  site: Site,
  fields: RedeemFields,
  token: OpenToken,
  at: { nowMs: number; isRepeatOnly: boolean },
): Promise<RedemptionOutcome> {
  const [outcome] = await ports.tokens.redeemMany([
    {
      siteKey: site.siteKey,
      siteRevision: site.revision,
      tokenId: token.header.id,
      retainUntilMs: retainSpentUntilMs(token.payload),
      nowMs: at.nowMs,
      isRepeatOnly: at.isRepeatOnly,
      perMinute: site.verifyPerMinute ?? ports.settings.limits.verify,
      repeatDigest: repeatDigest(ports, site, fields, token),
      onSpent: redeemedMetrics(token.payload.score),
      // Counted with what it follows: a replay is told by the write. An expired token is refused for its age.
      onReplayed: at.isRepeatOnly ? [] : ["refused:token_already_used"],
    },
  ]);
  if (outcome === undefined) throw new Error("the ledger answered nothing for a redemption");
  return outcome;
}

/** Stands for everything an exact repeat shares (D2); a key that equals the token identifies no call. */
function repeatDigest(ports: Ports, site: Site, fields: RedeemFields, token: OpenToken): Uint8Array | undefined {
  const { idempotencyKey, remoteIp, userAgent } = fields;
  if (idempotencyKey === undefined || idempotencyKey === fields.token) return undefined;
  const texts = [site.siteKey, idempotencyKey, presence(remoteIp), presence(userAgent)];
  return ports.cryptography.digest(lengthPrefixed([token.header.id, ...texts.map(encodeUtf8)]));
}

/** Tells an absent text from an empty one. */
function presence(text: string | undefined): string {
  return text === undefined ? "" : `=${text}`;
}

function toAnswer(ports: Ports, outcome: RedemptionOutcome, candidate: RedemptionCase): Judged {
  const { token, differences } = candidate;
  switch (outcome.kind) {
    case "limited":
    case "site_changed":
      return outcome;
    case "already_used":
    case "unspent":
      return { kind: "refused", reasonCode: "token_already_used", score: token.score };
    case "spent":
    case "repeated": {
      const isJudged = candidate.site.binding !== "off" && differences.length > 0;
      const evidence = { tokenScore: token.score, history: toHistoryEvidence(differences) };
      return {
        kind: "verified",
        verdict: {
          score: isJudged ? assess(evidence, ports.settings.flagWeights).score : token.score,
          hostname: token.hostname,
          actionName: token.actionName,
          cdata: token.cdata,
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
