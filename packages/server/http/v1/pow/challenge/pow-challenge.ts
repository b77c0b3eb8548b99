import type { IncomingMessage } from "node:http";
import { issueChallenge } from "@stile/core/use-cases/challenge/issue-challenge";
import { type Answer, errorAnswer, type RequestContext } from "../../../answer/answer.ts";
import type { HttpRoute } from "../../../http-route.ts";
import type { ApiPorts } from "../../api-ports.ts";
import { toPowChallengeAnswer } from "./pow-challenge-answer.ts";
import { readChallengeRequest } from "./pow-challenge-request.ts";

/** GET /api/v1/pow/challenge: issues a puzzle to a page of the site (spec 4.3; D8, challenge). */
async function powChallenge(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  if (request.method !== "GET") {
    const message = "Use GET with the parameter site_key.";
    return errorAnswer("method_not_allowed", context, {
      message,
      headers: { Allow: "GET, OPTIONS" },
      mustClose: true,
    });
  }
  const asked = readChallengeRequest(request);
  if (asked === undefined) {
    const message =
      "Send site_key, and action with at most 64 characters of A-Z a-z 0-9 _ . / - if you name one.";
    return errorAnswer("bad_request", context, { message });
  }
  const { requestId } = context;
  const answer = await issueChallenge(ports, {
    ...asked,
    requestId,
    visitor: ports.visitors.read(request),
  });
  return toPowChallengeAnswer(answer, context);
}

/** The row of GET /api/v1/pow/challenge, which pages of all origins may call. */
export function powChallengeRoute(ports: ApiPorts): HttpRoute {
  return {
    path: "/api/v1/pow/challenge",
    method: "ALL",
    handle: (request, context) => powChallenge(ports, request, context),
    corsMethod: "GET",
  };
}
