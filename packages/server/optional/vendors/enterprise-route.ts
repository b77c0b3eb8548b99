import type { IncomingMessage } from "node:http";
import { firstIdOf } from "@stile/core/domain/statistics/decision";
import type { RedeemAnswer, Verdict } from "@stile/core/domain/token/redeem-answer";
import { annotateDecision } from "@stile/core/use-cases/statistics/annotate-decision";
import type { RedeemFields } from "@stile/core/use-cases/token/redeem-token";
import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { type Answer, notFound, type RequestContext } from "../../http/answer/answer.ts";
import { isoTime } from "../../http/answer/iso-time.ts";
import { retryAfter } from "../../http/answer/limit-headers.ts";
import type { HttpRoute } from "../../http/http-route.ts";
import { readQuery } from "../../http/request/query.ts";
import type { ApiPorts } from "../../http/v1/api-ports.ts";
import { bearerOf } from "../../http/v1/bearer.ts";
import { turnRound, type VendorRefusal } from "./dialects.ts";
import { hasRightKey, redeemForVendor } from "./redeem-for-vendor.ts";
import {
  closeAfter,
  receiveVendorCall,
  textOf,
  type VendorCall,
  type VendorFields,
} from "./vendor-call.ts";

/** `/v1/projects/{project}/assessments`, with `/{id}:annotate` for a label. Any project is taken. */
const ADDRESS =
  /^\/v1\/(?<project>projects\/[^/?]{1,64})\/assessments(?:\/(?<time>[0-9a-f]{13}):annotate)?(?:\?|$)/;

/** The reasons of reCAPTCHA Enterprise for an invalid token. */
const INVALID: Partial<Record<VendorRefusal, string>> = {
  missing_token: "MISSING",
  token_expired: "EXPIRED",
  token_already_used: "DUPE",
};

const LABELS: Readonly<Record<string, DecisionLabel>> = { LEGITIMATE: "person", FRAUDULENT: "bot" };

/** The secret key of a call, wherever Google's libraries put theirs. */
function secretOf({ headers, url = "" }: IncomingMessage): string | undefined {
  return textOf(headers["x-goog-api-key"], bearerOf(headers.authorization), readQuery(url)?.key);
}

/** An error in the shape of Google's interfaces. */
function googleError(code: number, status: string, message: string, headers = {}): Answer {
  return { status: code, body: { error: { code, message, status } }, headers };
}

const DENIED = "Send the site's secret key as the API key.";

/** An assessment. A score of 1 is a person; an invalid token has 0. */
function assessment(
  project: string,
  event: VendorFields,
  outcome: { readonly verdict: Verdict } | { readonly reason: VendorRefusal },
): Answer {
  const { token, siteKey, expectedAction } = event;
  const verdict = "verdict" in outcome ? outcome.verdict : undefined;
  const tokenProperties =
    "verdict" in outcome
      ? {
          valid: true,
          invalidReason: "INVALID_REASON_UNSPECIFIED",
          createTime: isoTime(outcome.verdict.challengeAtMs),
          hostname: outcome.verdict.hostname,
          action: outcome.verdict.actionName ?? "",
        }
      : { valid: false, invalidReason: INVALID[outcome.reason] ?? "MALFORMED" };
  const body = {
    name: `${project}/assessments/${firstIdOf(verdict?.challengeAtMs ?? 0)}`,
    event: {
      token: textOf(token) ?? "",
      siteKey: textOf(siteKey) ?? "",
      expectedAction: textOf(expectedAction) ?? "",
    },
    riskAnalysis: { score: verdict ? turnRound(verdict) : 0, reasons: [] },
    tokenProperties,
  };
  return { status: 200, body };
}

function toAssessment(project: string, event: VendorFields, answer: RedeemAnswer): Answer {
  switch (answer.kind) {
    case "verified":
      return assessment(project, event, answer);
    case "refused":
      return assessment(project, event, { reason: answer.reasonCode });
    case "limited":
      return assessment(project, event, { reason: "rate_limited" });
    case "caller_limited":
      return googleError(429, "RESOURCE_EXHAUSTED", DENIED, retryAfter(answer.limit));
    case "missing_secret":
    case "invalid_secret":
      return googleError(403, "PERMISSION_DENIED", DENIED);
    case "too_large":
    case "malformed":
      return assessment(project, event, { reason: "bad_request" });
    default:
      return answer satisfies never;
  }
}

async function annotate(
  ports: ApiPorts,
  request: IncomingMessage,
  time: string,
  call: VendorCall,
): Promise<Answer> {
  const caller = { secretKey: secretOf(request), address: ports.visitors.addressOf(request) };
  const readLabel = (): DecisionLabel | undefined => {
    const fields = call.kind === "received" ? call.read() : undefined;
    return LABELS[textOf(fields?.annotation) ?? ""];
  };
  const answer = await annotateDecision(ports, caller, Number.parseInt(time, 16), readLabel);
  switch (answer) {
    case "labelled":
      return { status: 200, body: {} };
    case "denied":
      return googleError(403, "PERMISSION_DENIED", DENIED);
    case "no_label":
      return googleError(400, "INVALID_ARGUMENT", "annotation must be LEGITIMATE or FRAUDULENT.");
    case "not_found":
      return googleError(404, "NOT_FOUND", "No single visit was scored at that moment.");
    default:
      return answer satisfies never;
  }
}

async function assess(
  ports: ApiPorts,
  request: IncomingMessage,
  project: string,
  call: VendorCall,
): Promise<Answer> {
  // Stays empty if the call can't be read, or has no right key.
  let event: VendorFields = {};
  const toFields = (fields: VendorFields): RedeemFields => {
    event = (fields.event ?? {}) as VendorFields;
    return {
      token: textOf(event.token),
      remoteIp: textOf(event.userIpAddress),
      userAgent: textOf(event.userAgent),
      siteKey: textOf(event.siteKey),
      idempotencyKey: undefined,
    };
  };
  const redemption = { secretKey: secretOf(request), call, toFields };
  const outcome = await redeemForVendor(ports, request, redemption);
  const answer = toAssessment(project, event, outcome);
  return call.kind === "too_large"
    ? { ...answer, mustClose: closeAfter(request, hasRightKey(outcome)) }
    : answer;
}

async function enterprise(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const { project, time } = ADDRESS.exec(request.url ?? "")?.groups ?? {};
  if (request.method !== "POST" || project === undefined) return notFound(context);
  const call = await receiveVendorCall(request, BODY_LIMITS.tokenVerify);
  return time === undefined
    ? await assess(ports, request, project, call)
    : await annotate(ports, request, time, call);
}

/** POST /v1/projects/{project}/assessments, and its `:annotate`, which labels a decision. */
export function enterpriseRoute(ports: ApiPorts): HttpRoute {
  return {
    path: "/v1/projects/*",
    method: "ALL",
    handle: (request, context) => enterprise(ports, request, context),
    shapeFault: (fault) => ({
      ...fault,
      ...googleError(fault.status, "UNAVAILABLE", "Try again in a moment.", fault.headers),
    }),
  };
}
