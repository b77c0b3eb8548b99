import type { ScoreAnswer } from "@stile/core/use-cases/score/request-score";
import { type Answer, errorAnswer, type RequestContext } from "../../answer/answer.ts";
import { limitHeaders, retryAfter } from "../../answer/limit-headers.ts";
import type { BodyRefusal } from "../../request/body.ts";
import { BEARER, SAID } from "../bearer.ts";
import { refuseBody } from "../body-refusals.ts";

/** Writes the use case's result as an answer (D7, score request). */
export function toScoreAnswer(answer: ScoreAnswer<BodyRefusal>, context: RequestContext): Answer {
  switch (answer.kind) {
    case "scored": {
      const { score, flags, recommendation: action, missing } = answer;
      return {
        status: 200,
        body: { success: true, data: { score, flags, action, ...(missing && { missing }) } },
        headers: limitHeaders("score", answer.limit),
      };
    }
    case "missing_secret":
      return errorAnswer("missing_secret", context, {
        message: SAID.missingSecret,
        headers: BEARER.missing,
      });
    case "invalid_secret":
      return errorAnswer("invalid_secret", context, { headers: BEARER.invalid });
    case "unread":
      return refuseBody(answer.refusal, context);
    case "site_disabled":
      return errorAnswer("site_disabled", context);
    case "caller_limited":
      return errorAnswer("rate_limited", context, {
        message: SAID.wrongSecrets,
        headers: retryAfter(answer.limit),
      });
    case "limited":
      return errorAnswer("rate_limited", context, {
        headers: { ...limitHeaders("score", answer.limit), ...retryAfter(answer.limit) },
      });
    default:
      return answer satisfies never;
  }
}
