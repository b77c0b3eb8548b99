import type { IncomingMessage } from "node:http";
import { type SubmissionAnswer, submitSolution } from "@stile/core/flows/challenge/submit-solution";
import { decodeBase64url } from "@stile/pow/base64url";
import { BODY_LIMITS, TEXT_LIMITS } from "@stile/protocol/limits";
import { verifyRequestSchema } from "@stile/protocol/schemas/requests";
import { type Answer, errorAnswer, isoTime, type RequestContext } from "../../answer.ts";
import type { ApiPorts } from "../../api-ports.ts";
import { parseBody, receiveBody } from "../../body.ts";
import { corsHeaders } from "../../cors.ts";
import { hostOfOrigin } from "../../origin.ts";
import { readSignals } from "../../signals.ts";
import { refuseBody } from "../body-refusals.ts";
import { toChallengeData } from "../challenge-data.ts";
import { domainMismatch, limited, siteDisabled, unknownSiteKey } from "../widget-refusals.ts";

type Headers = Record<string, string>;

function ok(headers: Headers, data: unknown): Answer {
  return { status: 200, body: { success: true, data }, headers };
}

function toAnswer(answer: SubmissionAnswer, context: RequestContext, headers: Headers): Answer {
  switch (answer.kind) {
    case "issued":
      return ok(headers, { verified: true, token: answer.token, expires_at: isoTime(answer.expiresAtMs) });
    case "retry":
      return ok(headers, { verified: false, error_codes: ["invalid_token"], next: "retry" });
    case "step_up":
      return ok(headers, { verified: false, next: "interact", challenge: toChallengeData(answer.issued) });
    case "blocked":
      return ok(headers, { verified: false, next: "blocked", request_id: context.requestId });
    case "invalid_site_key":
      return unknownSiteKey(context, headers);
    case "domain_mismatch":
      return domainMismatch(context, headers, answer.host);
    case "site_disabled":
      return siteDisabled(context, headers);
    case "limited":
      return limited(context, headers, answer.limit);
    default:
      return answer satisfies never;
  }
}

/** POST /api/v1/verify: takes a solution and signals, gives a token (spec 4.4, D9). */
export async function verify(ports: ApiPorts, request: IncomingMessage, context: RequestContext): Promise<Answer> {
  const headers = corsHeaders(request);
  if (request.method !== "POST") {
    const message = "Use POST with a JSON body.";
    return errorAnswer("method_not_allowed", context, {
      message,
      headers: { ...headers, Allow: "POST, OPTIONS" },
      mustClose: true,
    });
  }
  const body = await receiveBody(request, BODY_LIMITS.verify);
  if (body.kind !== "received") return refuseBody(body, context, headers);
  const reading = parseBody(body.bytes, BODY_LIMITS.verify);
  if (reading.kind === "malformed") return refuseBody(reading, context, headers);
  const parsed = verifyRequestSchema.safeParse(reading.object);
  const cdata = parsed.data?.cdata ?? undefined;
  if (!parsed.success || (cdata !== undefined && Buffer.byteLength(cdata) > TEXT_LIMITS.cdata)) {
    const field = parsed.success ? "cdata" : parsed.error.issues[0]?.path.join(".");
    return errorAnswer("bad_request", context, {
      message: `The field ${field} is not what this endpoint takes.`,
      headers,
    });
  }
  const { data } = parsed;
  const { origin } = request.headers;
  const answer = await submitSolution(ports, {
    requestId: context.requestId,
    siteKey: data.site_key,
    host: origin === undefined ? undefined : hostOfOrigin(origin),
    challenge: data.challenge,
    solutionBytes: decodeBase64url(data.solution) ?? new Uint8Array(0),
    ...readSignals(data.signals?.environment, data.signals?.behaviour),
    actionName: data.action ?? undefined,
    cdata,
    visitor: ports.visitors.read(request),
  });
  return toAnswer(answer, context, headers);
}
