import type { ChallengeAnswer } from "@stile/core/use-cases/challenge/issue-challenge";
import type { Answer, RequestContext } from "../../../answer/answer.ts";
import { toChallengeData } from "../../challenge-data.ts";
import { domainMismatch, limited, siteDisabled, unknownSiteKey } from "../../widget-refusals.ts";

/** Writes the use case's result as an answer (D8, challenge). */
export function toPowChallengeAnswer(answer: ChallengeAnswer, context: RequestContext): Answer {
  switch (answer.kind) {
    case "issued":
      return { status: 200, body: { success: true, data: toChallengeData(answer.issued) } };
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
