import type { IncomingMessage } from "node:http";
import { type RedeemReading, redeemToken } from "@stile/core/use-cases/token/redeem-token";
import { BODY_LIMITS } from "@stile/protocol/limits";
import type { Answer, RequestContext } from "../../../answer/answer.ts";
import type { HttpRoute } from "../../../http-route.ts";
import { receiveBody } from "../../../request/body.ts";
import type { ApiPorts } from "../../api-ports.ts";
import { bearerOf, SAID } from "../../bearer.ts";
import { badCall, faultOfTokenVerify, toTokenVerifyAnswer } from "./token-verify-answer.ts";
import { readRedemption, shapeOf } from "./token-verify-request.ts";

/**
 * POST /api/v1/token/verify: reads the call, lets the use case redeem, writes the verdict (spec
 * 4.1; D2, redemption).
 */
async function tokenVerify(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const bearer = bearerOf(request.headers.authorization);
  if (request.method !== "POST") {
    const shape = { hasBearer: bearer !== undefined, isSiteverify: false };
    const message = SAID.usePost;
    const headers = { Allow: "POST" };
    return badCall(context, shape, {
      status: 405,
      code: "method_not_allowed",
      message,
      headers,
      mustClose: true,
    });
  }
  const body = await receiveBody(request, BODY_LIMITS.tokenVerify);
  const shape = shapeOf(bearer, body);
  context.isSiteverify = shape.isSiteverify;
  if (body.kind === "unsupported_media_type") {
    const message = SAID.useJson;
    return badCall(context, shape, {
      status: 415,
      code: "unsupported_media_type",
      message,
      mustClose: true,
    });
  }
  const caller = { secretKey: bearer, address: ports.visitors.addressOf(request) };
  if (body.kind === "too_large") {
    const answer = toTokenVerifyAnswer(await redeemToken(ports, caller, body), shape, context);
    return { ...answer, mustClose: answer.status === 413 ? true : "reading" };
  }
  const { kind, bytes } = body;
  const read = (): RedeemReading => {
    const { reading, hasForeignField } = readRedemption(bytes);
    context.isSiteverify = shape.isSiteverify && hasForeignField;
    return reading;
  };
  const answer = await redeemToken(ports, caller, { kind, read });
  return toTokenVerifyAnswer(answer, { ...shape, isSiteverify: context.isSiteverify }, context);
}

/** The row of POST /api/v1/token/verify, whose faults also have the shape of D2 (redemption). */
export function tokenVerifyRoute(ports: ApiPorts): HttpRoute {
  return {
    path: "/api/v1/token/verify",
    method: "ALL",
    handle: (request, context) => tokenVerify(ports, request, context),
    shapeFault: (fault, { headers }, { isSiteverify = false }) =>
      faultOfTokenVerify(fault, {
        hasBearer: bearerOf(headers.authorization) !== undefined,
        isSiteverify,
      }),
  };
}
