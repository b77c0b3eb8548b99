import type { IncomingMessage } from "node:http";
import type { ChallengeRequest } from "@stile/core/flows/challenge/issue-challenge";
import { challengeQuerySchema } from "@stile/protocol/schemas/requests";
import { findPageHost } from "../../../origin.ts";
import { readQuery } from "../../../query.ts";

/** What the query and the page's headers ask for; undefined if the query is not what this endpoint takes (D8). */
export function readChallengeRequest(
  request: IncomingMessage,
): Pick<ChallengeRequest, "siteKey" | "actionName" | "wantsFallback" | "batch" | "host"> | undefined {
  const query = challengeQuerySchema.safeParse(readQuery(request.url ?? "")).data;
  if (query === undefined) return undefined;
  const page = findPageHost(request);
  return {
    siteKey: query.site_key,
    actionName: query.action,
    wantsFallback: query.fallback === "1",
    batch: query.batch,
    host: page === "unknown" ? undefined : page === "foreign" ? null : page.host,
  };
}
