import type { IncomingMessage } from "node:http";
import { submitSolution } from "@stile/core/use-cases/challenge/submit-solution";
import { type Answer, errorAnswer, type RequestContext } from "../../answer/answer.ts";
import type { HttpRoute } from "../../http-route.ts";
import type { ApiPorts } from "../api-ports.ts";
import { SAID } from "../bearer.ts";
import { refuseBody } from "../body-refusals.ts";
import { toVerifyAnswer } from "./verify-answer.ts";
import { readVerifyRequest } from "./verify-request.ts";

/**
 * POST /api/v1/verify: takes a solution and signals, and returns a token (spec 4.4; D9,
 * submission).
 */
async function verify(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  if (request.method !== "POST") {
    const message = SAID.usePost;
    return errorAnswer("method_not_allowed", context, {
      message,
      headers: { Allow: "POST, OPTIONS" },
      mustClose: true,
    });
  }
  const reading = await readVerifyRequest(request);
  if (reading.kind !== "submission") return refuseBody(reading, context);
  const { requestId } = context;
  const answer = await submitSolution(ports, {
    ...reading.submission,
    requestId,
    visitor: ports.visitors.read(request),
  });
  return toVerifyAnswer(answer, context);
}

/** The row of POST /api/v1/verify, which pages of all origins may call. */
export function verifyRoute(ports: ApiPorts): HttpRoute {
  return {
    path: "/api/v1/verify",
    method: "ALL",
    handle: (request, context) => verify(ports, request, context),
    corsMethod: "POST",
  };
}
