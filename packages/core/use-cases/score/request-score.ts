import type { RiskFlag } from "@stile/protocol/risk-flags";
import type { Recommendation } from "@stile/protocol/site-settings";
import { assess } from "@stile/risk/assess";
import { findMissingSignals, type MissingSignals } from "@stile/risk/missing-signals";
import type { Limited, LimitState } from "../../domain/rate-window.ts";
import type { Site } from "../../domain/site/site.ts";
import { findTestSecret } from "../../domain/site/test-keys.ts";
import { recommend } from "../../domain/site/thresholds.ts";
import { toHistoryEvidence } from "../../domain/token/binding.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { StoreUnavailable } from "../../ports/store-unavailable.ts";
import { findNamedNetwork, isNamedAddressUnreadable } from "../../services/score/named-network.ts";
import { readToken } from "../../services/score/read-token.ts";
import { recallSignals } from "../../services/score/recall-signals.ts";
import { type SignalFields, spendSignals } from "../../services/score/spend-signals.ts";
import { authenticateSecret, type Caller } from "../../services/site/authenticate-secret.ts";
import { recordDecision } from "../../services/statistics/record-decision.ts";
import { scoreTest } from "../../services/token/test-token.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "followKeys"
  | "settings"
  | "directory"
  | "keyUsage"
  | "siteLoad"
  | "challenges"
  | "tokens"
  | "scoredTokens"
  | "tokenUsage"
  | "limiter"
  | "localLimiter"
  | "networkLists"
  | "collectedMemory"
  | "statistics"
  | "decisions"
  | "securityEvents"
>;

/** The fields of POST /api/v1/score (D7, score request), all optional. */
export type ScoreFields = SignalFields & {
  /** Identifies the request in the log. */
  readonly requestId: string;
  /** Names in lower case; only headers that the risk model may see. */
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | undefined;
  /** The visitor's next action; shown to the account only. */
  readonly actionName: string | undefined;
  /** Host of the protected page or endpoint; shown to the account only. */
  readonly host: string | undefined;
};

/**
 * Answer to a score request (spec 2.2; D7, score request). `Refusal` is the HTTP layer's reason for
 * not reading the body.
 */
export type ScoreAnswer<Refusal = never> =
  | {
      readonly kind: "scored";
      readonly score: number;
      readonly flags: readonly RiskFlag[];
      readonly recommendation: Recommendation;
      /**
       * The part of the site's signals that is missing, so that the visitor could not be scored by
       * it.
       */
      readonly missing: MissingSignals | undefined;
      readonly limit: LimitState;
    }
  | { readonly kind: "missing_secret" }
  | { readonly kind: "invalid_secret" }
  /** The body can't be read. */
  | { readonly kind: "unread"; readonly refusal: Refusal }
  | { readonly kind: "site_disabled" }
  | Limited
  /** The caller's address sent too many wrong secret keys. */
  | { readonly kind: "caller_limited"; readonly limit: LimitState };

/** Receives and reads the body. It is not called before the secret key is known to be right. */
export type ReadScoreFields<Refusal = never> = () => Promise<
  ScoreFields | { kind: "unread"; refusal: Refusal }
>;

/**
 * Authenticates, reads the body, and scores a visitor for the customer's server (D7, score
 * request).
 */
export async function requestScore<Refusal = never>(
  ports: Ports,
  caller: Caller,
  read: ReadScoreFields<Refusal>,
): Promise<ScoreAnswer<Refusal>> {
  const test = findTestSecret(ports.settings.testPlace, caller.secretKey);
  if (test !== undefined) {
    const asked = await read();
    return "kind" in asked ? asked : await scoreTest(ports, test, caller);
  }
  const authentication = await authenticateSecret(ports, caller);
  if (authentication.kind !== "site") return authentication;
  const fields = await read();
  if ("kind" in fields) return fields;
  return await scoreFields(ports, authentication.site, fields);
}

/**
 * If the first write took longer than this, no second one begins: both could take more than the 2 s
 * of D15 (outage).
 */
const MAX_BEFORE_NEXT_WRITE_MS = 600;

/** Checks the limit, reads the token, spends the signals and assesses (D7, score request). */
async function scoreFields(ports: Ports, site: Site, fields: ScoreFields): Promise<ScoreAnswer> {
  if (!site.isEnabled) return { kind: "site_disabled" };
  const nowMs = ports.clock.nowMs();
  const perMinute = site.scorePerMinute ?? ports.settings.limits.score;
  const limit = await ports.limiter.consume({ scope: `score:${site.siteKey}`, perMinute, nowMs });
  if (!limit.isAdmitted) return { kind: "limited", limit };
  if (ports.clock.nowMs() - nowMs > MAX_BEFORE_NEXT_WRITE_MS)
    throw new StoreUnavailable("the store answers slowly");
  const userAgent = fields.userAgent ?? fields.headers["user-agent"];
  const claimed = { ...fields, userAgent };
  const token = await readToken(ports, site, claimed, nowMs);
  const collected = await spendSignals(ports, site, claimed, nowMs);
  const history = toHistoryEvidence([...token.differences, ...collected.differences]);
  const areSignalsExpected =
    site.scoreSignals === "expected" && token.score === undefined && !token.isInvalid;
  const assessment = assess(
    {
      areSignalsExpected,
      headers: fields.headers,
      userAgent,
      ...collected.observations,
      // A genuine token's score already includes the network's history. Later changes are history.
      ...(token.score === undefined ? findNamedNetwork(ports, site, fields.remoteIp, nowMs) : {}),
      tokenScore: token.score,
      history: {
        ...recallSignals(ports, site, collected, { remoteIp: fields.remoteIp, nowMs }),
        ...history,
        isTokenInvalid: token.isInvalid,
        // A token's score already includes that it is bound to no address.
        isAddressHidden:
          history.isAddressHidden ||
          collected.differences.includes("address_unknown") ||
          (token.score === undefined && isNamedAddressUnreadable(site, fields.remoteIp)),
        isSignalsReplayed: collected.isReplayed,
      },
    },
    ports.settings.flagWeights,
  );
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
  const missing = areSignalsExpected
    ? findMissingSignals(collected.observations.behaviour)
    : undefined;
  return {
    kind: "scored",
    score,
    flags,
    recommendation: recommend(score, site.thresholds),
    missing,
    limit,
  };
}
