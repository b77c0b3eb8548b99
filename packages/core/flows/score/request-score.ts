import { TEXT_LIMITS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { Recommendation } from "@stile/protocol/site-settings";
import { assess, type RiskEvidence } from "@stile/risk/assess";
import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import type { LimitState } from "../../domain/rate-window.ts";
import { recommend } from "../../domain/site/recommendation.ts";
import type { Site } from "../../domain/site/site.ts";
import {
  type BindingClaim,
  type BindingDifference,
  type Bound,
  findBindingDifferences,
  toHistoryEvidence,
} from "../../domain/token/binding.ts";
import { isExpired, retainSpentUntilMs } from "../../domain/token/redemption.ts";
import { parseClientAddress } from "../../domain/visitor/client-address.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import { openChallenge } from "../challenge/sign-challenge.ts";
import { authenticateSecret, type Caller, clientScope } from "../site/authenticate-secret.ts";
import { withFreshSite } from "../site/with-fresh-site.ts";
import { recordDecision } from "../statistics/record-decision.ts";
import { digestClaim, toBindingClaim, type VisitorClaim } from "../token/binding-claim.ts";
import { openToken } from "../token/seal-token.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { gatherNetworkEvidence } from "../visitor/network-evidence.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "keyUsage"
  | "siteLoad"
  | "challenges"
  | "tokens"
  | "tokenUsage"
  | "limiter"
  | "localLimiter"
  | "networkLists"
  | "statistics"
  | "decisions"
  | "securityEvents"
>;

/** What `stile.collect()` returned, taken apart: its signed challenge and what the page observed (D7). */
export type CollectedSignals = {
  readonly challenge: string;
  /** Reads the signals; called once the challenge holds. */
  readonly observe: () => Observations;
};

/** The fields of POST /api/v1/score (D7), all optional. */
export type ScoreFields = VisitorClaim & {
  /** Names the request in the log. */
  readonly requestId: string;
  /** `unreadable`: sent, but not what `collect()` returns. */
  readonly signals: CollectedSignals | "unreadable" | undefined;
  /** Names in lower case, only those that risk may see. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  /** What the visitor is about to do, for the account's eyes. */
  readonly actionName: string | undefined;
  /** Host of the page or endpoint that is protected, for the account's eyes. */
  readonly host: string | undefined;
};

/** Answer to a score request (spec 2.2, D7); `Refusal` is why the door could not read the body. */
export type ScoreAnswer<Refusal = never> =
  | {
      readonly kind: "scored";
      readonly score: number;
      readonly flags: readonly RiskFlag[];
      readonly recommendation: Recommendation;
      readonly limit: LimitState;
    }
  | { readonly kind: "missing_secret" }
  | { readonly kind: "invalid_secret" }
  /** The body can't be read. */
  | { readonly kind: "unread"; readonly refusal: Refusal }
  | { readonly kind: "site_disabled" }
  | { readonly kind: "limited"; readonly limit: LimitState }
  /** Too many wrong secret keys from the caller's address. */
  | { readonly kind: "caller_limited"; readonly limit: LimitState };

/** Receives and reads the body; not called before the caller has shown a secret key. */
export type ReadScoreFields<Refusal = never> = () => Promise<ScoreFields | { kind: "unread"; refusal: Refusal }>;

/** Authenticates, reads the body, and scores a visitor for the customer's server (D7). */
export async function requestScore<Refusal = never>(
  ports: Ports,
  caller: Caller,
  read: ReadScoreFields<Refusal>,
): Promise<ScoreAnswer<Refusal>> {
  const authentication = await authenticateSecret(ports, caller);
  if (authentication.kind !== "site") return authentication;
  const fields = await read();
  if ("kind" in fields) return fields;
  return await scoreFields(ports, authentication.site, fields);
}

/** An answer that took longer so far begins no second write: both together would take more than the 2 s of D15. */
const MAX_BEFORE_NEXT_WRITE_MS = 600;

/** Limits, reads the token, spends the signals, assesses (D7). */
async function scoreFields(ports: Ports, site: Site, fields: ScoreFields): Promise<ScoreAnswer> {
  if (!site.isEnabled) return { kind: "site_disabled" };
  const nowMs = ports.clock.nowMs();
  const perMinute = site.scorePerMinute ?? ports.settings.limits.score;
  const limit = await ports.limiter.consume({ scope: `score:${site.siteKey}`, perMinute, nowMs });
  if (!limit.isAdmitted) return { kind: "limited", limit };
  if (ports.clock.nowMs() - nowMs > MAX_BEFORE_NEXT_WRITE_MS) throw new StoreUnavailable("the store answers slowly");
  const userAgent = fields.userAgent ?? fields.headers["user-agent"];
  const claimed = { ...fields, userAgent };
  const token = await readToken(ports, site, claimed, nowMs);
  const collected = await spendSignals(ports, site, claimed, nowMs);
  const evidence: RiskEvidence = {
    headers: fields.headers,
    userAgent,
    ...collected.observations,
    // What is known of the network of a genuine token's visitor is in its score already; what changed since is history.
    ...(token.score === undefined ? seeNetwork(ports, site, fields.remoteIp, nowMs) : {}),
    tokenScore: token.score,
    history: {
      ...toHistoryEvidence([...token.differences, ...collected.differences]),
      isTokenInvalid: token.isInvalid,
      isAddressHidden: collected.differences.includes("address_unknown"),
      isSignalsReplayed: collected.isReplayed,
    },
  };
  const assessment = assess(evidence, ports.settings.flagWeights);
  ports.statistics.count({ siteKey: site.siteKey, metric: "score_requested", atMs: nowMs });
  recordDecision(ports, site, assessment, {
    atMs: nowMs,
    requestId: fields.requestId,
    source: "score",
    outcome: "answered",
    action: fields.actionName ?? null,
    host: fields.host ?? null,
    device: deviceClassOf(userAgent ?? "", fields.headers),
    solveMs: null,
  });
  const { score, flags } = assessment;
  return { kind: "scored", score, flags, recommendation: recommend(score, site.thresholds), limit };
}

/** What is known of the network of the address that the site's server names; nothing of what is no address. */
function seeNetwork(ports: Ports, { siteKey }: Site, remoteIp: string | undefined, nowMs: number) {
  const address = remoteIp === undefined ? undefined : parseClientAddress(remoteIp);
  if (address === undefined) return {};
  const client = clientScope(ports.cryptography, address);
  return gatherNetworkEvidence(ports, { scope: `score:${siteKey}`, siteKey, client, address, nowMs });
}

/** How the visitor differs from the one a token or signals came from; on a site that does not bind, they may (D5). */
function findDifferences(ports: Ports, site: Site, bound: Bound, claim: BindingClaim): readonly BindingDifference[] {
  return site.binding === "off" ? [] : findBindingDifferences(bound, claim, ports.cryptography.isEqual);
}

type TokenReading = {
  /** The score of a token that could be redeemed now. */
  readonly score: number | undefined;
  readonly differences: readonly BindingDifference[];
  readonly isInvalid: boolean;
};

const UNUSABLE: TokenReading = { score: undefined, differences: [], isInvalid: true };

/** Reads a token without spending it: forged, foreign, expired and spent ones say the same (D7). */
async function readToken(ports: Ports, site: Site, fields: ScoreFields, nowMs: number): Promise<TokenReading> {
  if (fields.token === undefined) return { score: undefined, differences: [], isInvalid: false };
  if (fields.token.length > TEXT_LIMITS.tokenAccepted) return UNUSABLE;
  const token = openToken(ports.cryptography, fields.token);
  if (token === undefined || token.payload.siteKey !== site.siteKey) return UNUSABLE;
  const isRetired = ports.cryptography.isRetired(token.header.keyId);
  if (isExpired(token.payload, isRetired, nowMs)) return UNUSABLE;
  const spentToken = { tokenId: token.header.id, retainUntilMs: retainSpentUntilMs(token.payload) };
  if (await ports.tokens.isSpent(spentToken)) return UNUSABLE;
  // Asked again behind the read: a record is swept only when its token has expired.
  if (isExpired(token.payload, isRetired, ports.clock.nowMs())) return UNUSABLE;
  const claim = toBindingClaim(ports.cryptography, token, fields);
  const differences = findDifferences(ports, site, token.payload, claim);
  return { score: token.payload.score, differences, isInvalid: false };
}

type Collected = {
  readonly observations: Partial<Observations>;
  /** How the visitor the site's server names differs from the one who collected: signals handed on to another. */
  readonly differences: readonly BindingDifference[];
  readonly isReplayed: boolean;
};

/** Spends the challenge inside the envelope; a forged, foreign or stale one counts as withheld, a spent one as a replay (D7). */
async function spendSignals(ports: Ports, site: Site, fields: ScoreFields, nowMs: number): Promise<Collected> {
  const { signals } = fields;
  if (signals === undefined) return { observations: {}, differences: [], isReplayed: false };
  const unread = { environment: "withheld", behaviour: "withheld" } as const;
  const withheld: Collected = { observations: unread, differences: [], isReplayed: false };
  if (signals === "unreadable") return withheld;
  const open = openChallenge(ports.cryptography, signals.challenge);
  if (open === undefined || open.challenge.siteKey !== site.siteKey) return withheld;
  const expiresAtMs = challengeExpiresAtMs(open.challenge);
  if (nowMs >= expiresAtMs) return withheld;
  const isReplayed = await withFreshSite<boolean>(ports.directory, async () => {
    const current = await ports.directory.findSite(site.siteKey);
    if (current === undefined) return false;
    const { siteKey, revision: siteRevision } = current;
    const challengeId = open.challenge.id;
    const spend = { siteKey, siteRevision, challengeId, retainUntilMs: expiresAtMs, nowMs, onSpent: [] };
    const outcome = await ports.challenges.spend(spend);
    return outcome === "site_changed" ? { kind: outcome, siteKey } : outcome === "already_spent";
  });
  const { challenge } = open;
  const key = keyReference(challenge.keyId, "binding", challenge.issuedAtMs);
  const differences = findDifferences(ports, site, challenge, digestClaim(ports.cryptography, key, fields));
  return { observations: signals.observe(), differences, isReplayed };
}
