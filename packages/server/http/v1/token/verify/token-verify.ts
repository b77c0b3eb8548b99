import type { IncomingMessage } from "node:http";
import { type RedeemReading, redeemToken } from "@stile/core/flows/token/redeem-token";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { tokenVerifyRequestSchema } from "@stile/protocol/schemas/requests";
import { type Answer, bearerOf, type RequestContext } from "../../../answer.ts";
import type { ApiPorts } from "../../../api-ports.ts";
import { parseBody, type ReceivedBody, receiveBody } from "../../../body.ts";
import { badCall, type CallShape, toTokenVerifyAnswer } from "./token-verify-answer.ts";

/** Why a text field of the body was refused, for the caller's developer. */
const FIELD_MESSAGE = "is not what this endpoint takes; see the reference of POST /api/v1/token/verify.";

function readRedemption(bytes: Buffer): RedeemReading {
  const reading = parseBody(bytes, BODY_LIMITS.tokenVerify);
  if (reading.kind === "malformed") return reading;
  const { object } = reading;
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

/** A name that only calls of the siteverify style have. No text can hold it: its quotes would be escaped. */
const FOREIGN_FIELD = /"(?:secret|response)"\s*:/;

function hasForeignName(bytes: Buffer): boolean {
  if (!bytes.includes("secret") && !bytes.includes("response")) return false;
  return FOREIGN_FIELD.test(bytes.toString("latin1"));
}

/** How the call was made; without parsing its body, since it is said to callers who showed no secret key, too (D2). */
function shapeOf(bearer: string | undefined, body: ReceivedBody): CallShape {
  const isForm = body.kind === "unsupported_media_type" && body.isForm;
  const hasForeignField = body.kind === "received" && hasForeignName(body.bytes);
  return { hasBearer: bearer !== undefined, isSiteverify: isForm || hasForeignField };
}

/** POST /api/v1/token/verify: reads the call, lets the flow redeem, writes the verdict (spec 4.1, D2). */
export async function tokenVerify(ports: ApiPorts, request: IncomingMessage, context: RequestContext): Promise<Answer> {
  const bearer = bearerOf(request.headers.authorization);
  if (request.method !== "POST") {
    const shape = { hasBearer: bearer !== undefined, isSiteverify: false };
    const message = "Use POST with a JSON body.";
    const headers = { Allow: "POST" };
    return badCall(context, shape, { status: 405, code: "method_not_allowed", message, headers, mustClose: true });
  }
  const body = await receiveBody(request, BODY_LIMITS.tokenVerify);
  const shape = shapeOf(bearer, body);
  context.isSiteverify = shape.isSiteverify;
  if (body.kind === "unsupported_media_type") {
    const message = "Send the body as JSON, uncompressed, with Content-Type: application/json.";
    return badCall(context, shape, { status: 415, code: "unsupported_media_type", message, mustClose: true });
  }
  const caller = { secretKey: bearer, address: ports.visitors.addressOf(request) };
  if (body.kind === "too_large") {
    const answer = toTokenVerifyAnswer(await redeemToken(ports, caller, body), shape, context);
    return { ...answer, mustClose: answer.status === 413 ? true : "reading" };
  }
  const { kind, bytes } = body;
  const answer = await redeemToken(ports, caller, { kind, read: () => readRedemption(bytes) });
  return toTokenVerifyAnswer(answer, shape, context);
}
