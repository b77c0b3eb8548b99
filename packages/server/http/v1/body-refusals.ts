import { type Answer, errorAnswer, type RequestContext } from "../answer/answer.ts";
import type { BodyRefusal } from "../request/body.ts";
import { SAID } from "./bearer.ts";

/** The answer to a body that was not accepted (D11, errors). */
export function refuseBody(reading: BodyRefusal, context: RequestContext): Answer {
  switch (reading.kind) {
    case "malformed":
    case "too_much":
      return errorAnswer("bad_request", context, { message: reading.message });
    case "too_large":
      return errorAnswer("payload_too_large", context, { mustClose: true });
    case "unsupported_media_type":
      return errorAnswer("unsupported_media_type", context, {
        message: SAID.useJson,
        mustClose: true,
      });
    default:
      return reading satisfies never;
  }
}
