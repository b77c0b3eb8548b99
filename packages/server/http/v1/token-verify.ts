import type { IncomingMessage } from "node:http";
import { type RedeemBody, type RedeemPorts, redeemToken } from "@stile/core/flows/redeem-token";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { tokenVerifyRequestSchema } from "@stile/protocol/schemas/requests";
import { type Answer, bearerOf, type RequestContext } from "../answer.ts";
import { type BodyReading, readJsonObject } from "../body.ts";
import type { VisitorReader } from "../visitor.ts";
import { badCall, type CallShape, toTokenVerifyAnswer } from "./token-verify-answer.ts";

/** Why a text field of the body was refused, for the caller's developer. */
const FIELD_MESSAGE = "is not what this endpoint takes; see the reference of POST /api/v1/token/verify.";

function toRedeemBody(object: Readonly<Record<string, unknown>>): RedeemBody {
  // A key that equals the token names no call and is ignored, though it is longer than keys may be (D2).
  const { idempotency_key: key, ...others } = object;
  const parsed = tokenVerifyRequestSchema.safeParse(key === object.token ? others : object);
  if (!parsed.success) {
    return { kind: "malformed", message: `The field ${parsed.error.issues[0]?.path.join(".")} ${FIELD_MESSAGE}` };
  }
  const { data } = parsed;
  const token = typeof data.token === "string" && data.token !== "" ? data.token : undefined;
  return {
    kind: "fields",
    fields: {
      token,
      remoteIp: data.remoteip ?? data.ip ?? data.clientIP ?? data.client_ip ?? undefined,
      userAgent: data.user_agent ?? data.userAgent ?? undefined,
      siteKey: data.site_key ?? data.siteKey ?? undefined,
      idempotencyKey: data.idempotency_key ?? undefined,
    },
  };
}

function shapeOf(bearer: string | undefined, reading: BodyReading): CallShape {
  const isForm = reading.kind === "unsupported_media_type" && reading.isForm;
  const hasForeignFields = reading.kind === "object" && ("secret" in reading.object || "response" in reading.object);
  return { hasBearer: bearer !== undefined, isSiteverify: isForm || hasForeignFields };
}

/** POST /api/v1/token/verify: reads the call, lets the flow redeem, writes the verdict (spec 4.1, D2). */
export async function tokenVerify(
  ports: RedeemPorts & { readonly visitors: VisitorReader },
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const bearer = bearerOf(request.headers.authorization);
  if (request.method !== "POST") {
    const shape = { hasBearer: bearer !== undefined, isSiteverify: false };
    const message = "Use POST with a JSON body.";
    const headers = { Allow: "POST" };
    return badCall(context, shape, { status: 405, code: "method_not_allowed", message, headers, mustClose: true });
  }
  const reading = await readJsonObject(request, BODY_LIMITS.tokenVerify);
  const shape = shapeOf(bearer, reading);
  context.isSiteverify = shape.isSiteverify;
  if (reading.kind === "unsupported_media_type") {
    const message = "Send the body as JSON, uncompressed, with Content-Type: application/json.";
    return badCall(context, shape, { status: 415, code: "unsupported_media_type", message, mustClose: true });
  }
  const body = reading.kind === "object" ? toRedeemBody(reading.object) : reading;
  const caller = { secretKey: bearer, address: ports.visitors.addressOf(request) };
  const answer = toTokenVerifyAnswer(await redeemToken(ports, caller, body), shape, context);
  return reading.kind === "too_large" ? { ...answer, mustClose: true } : answer;
}
