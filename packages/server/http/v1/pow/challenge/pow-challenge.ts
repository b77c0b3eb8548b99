import type { IncomingMessage } from "node:http";
import { issueChallenge } from "@stile/core/flows/challenge/issue-challenge";
import { challengeQuerySchema } from "@stile/protocol/schemas/requests";
import { type Answer, errorAnswer, type RequestContext } from "../../../answer.ts";
import type { ApiPorts } from "../../../api-ports.ts";
import { corsHeaders } from "../../../cors.ts";
import { findPageHost } from "../../../origin.ts";
import { readQuery } from "../../../query.ts";
import { toChallengeData } from "../../challenge-data.ts";
import { domainMismatch, limited, siteDisabled, unknownSiteKey } from "../../widget-refusals.ts";

/** GET /api/v1/pow/challenge: issues a puzzle to a page of the site (spec 4.3, D8). */
export async function powChallenge(
  ports: ApiPorts,
  request: IncomingMessage,
  context: RequestContext,
): Promise<Answer> {
  const headers = corsHeaders(request);
  if (request.method !== "GET") {
    const message = "Use GET with the parameter site_key.";
    return errorAnswer("method_not_allowed", context, {
      message,
      headers: { ...headers, Allow: "GET, OPTIONS" },
      mustClose: true,
    });
  }
  const query = challengeQuerySchema.safeParse(readQuery(request.url ?? "")).data;
  if (query === undefined) {
    const message = "Send site_key, and action with at most 64 characters of A-Z a-z 0-9 _ . / - if you name one.";
    return errorAnswer("bad_request", context, { message, headers });
  }
  const page = findPageHost(request);
  const host = page === "unknown" ? undefined : page === "foreign" ? null : page.host;
  const answer = await issueChallenge(ports, {
    requestId: context.requestId,
    siteKey: query.site_key,
    actionName: query.action,
    wantsFallback: query.fallback === "1",
    host,
    visitor: ports.visitors.read(request),
  });
  switch (answer.kind) {
    case "issued":
      return { status: 200, body: { success: true, data: toChallengeData(answer.issued) }, headers };
    case "invalid_site_key":
      return unknownSiteKey(context, headers);
    case "domain_mismatch":
      return domainMismatch(context, headers, answer.host);
    case "site_disabled":
      return siteDisabled(context, headers);
    case "limited":
      return limited(context, headers, answer.limit);
    default:
      return answer satisfies never;
  }
}
