import type { IncomingMessage } from "node:http";
import { requestScore, type ScoreAnswer } from "@stile/core/use-cases/score/request-score";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { type Answer, errorAnswer, type RequestContext } from "../../answer/answer.ts";
import type { HttpRoute } from "../../http-route.ts";
import { refuseByHead } from "../../request/body.ts";
import type { ApiPorts } from "../api-ports.ts";
import { bearerOf, SAID } from "../bearer.ts";
import { refuseBody } from "../body-refusals.ts";
import { toScoreAnswer } from "./score-answer.ts";
import { readScoreFields } from "./score-request.ts";

/** Results for callers with a right secret key whose body was read. */
const KNOWN_CALLERS: readonly ScoreAnswer["kind"][] = ["scored", "limited", "site_disabled"];

/** POST /api/v1/score: scores a visitor for the customer's server (spec 4.2; D7, score request). */
async function score(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  if (request.method !== "POST") {
    const message = SAID.usePost;
    return errorAnswer("method_not_allowed", context, {
      message,
      headers: { Allow: "POST" },
      mustClose: true,
    });
  }
  const refusal = refuseByHead(request, BODY_LIMITS.score);
  if (refusal?.kind === "unsupported_media_type") return refuseBody(refusal, context);
  const caller = {
    secretKey: bearerOf(request.headers.authorization),
    address: ports.visitors.addressOf(request),
  };
  const answer = await requestScore(ports, caller, () =>
    readScoreFields(request, context.requestId),
  );
  const scored = toScoreAnswer(answer, context);
  // With a right secret key, the rest of a body that is too large is read. Otherwise a proxy may
  // drop the answer.
  return KNOWN_CALLERS.includes(answer.kind) && !request.complete
    ? { ...scored, mustClose: "reading" }
    : scored;
}

/** The row of POST /api/v1/score, which is for servers only. */
export function scoreRoute(ports: ApiPorts): HttpRoute {
  return {
    path: "/api/v1/score",
    method: "ALL",
    handle: (request, context) => score(ports, request, context),
  };
}
