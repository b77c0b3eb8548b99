import { parseContact } from "@stile/core/domain/site/contact";
import type { SubmissionAnswer } from "@stile/core/services/challenge/ask-again";
import type { Answer, RequestContext } from "../../answer/answer.ts";
import { isoTime } from "../../answer/iso-time.ts";
import { toChallengeData } from "../challenge-data.ts";
import { domainMismatch, limited, siteDisabled, unknownSiteKey } from "../widget-refusals.ts";

function ok(data: object): Answer {
  return { status: 200, body: { success: true, data } };
}

/** Writes the use case's result as an answer (D9, submission). */
export function toVerifyAnswer(answer: SubmissionAnswer, context: RequestContext): Answer {
  switch (answer.kind) {
    case "issued":
      return ok({ verified: true, token: answer.token, expires_at: isoTime(answer.expiresAtMs) });
    case "retry":
      return ok({ verified: false, error_codes: ["invalid_token"], next: "retry" });
    case "step_up":
      return ok({ verified: false, next: "interact", challenge: toChallengeData(answer.issued) });
    case "price":
      return ok({ verified: false, next: "work", challenge: toChallengeData(answer.issued) });
    case "blocked": {
      const { text, address = text } = parseContact(answer.contact) ?? {};
      return ok({
        verified: false,
        next: "blocked",
        request_id: context.requestId,
        ...(address && { contact: address }),
      });
    }
    case "invalid_site_key":
      return unknownSiteKey(context);
    case "domain_mismatch":
      return domainMismatch(context, answer);
    case "site_disabled":
      return siteDisabled(context);
    case "limited":
      return limited(context, answer.limit);
    default:
      return answer satisfies never;
  }
}
