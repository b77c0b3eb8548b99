import type { IncomingMessage } from "node:http";
import type { ChallengeRequest } from "@stile/core/use-cases/challenge/issue-challenge";
import { challengeQuerySchema } from "@stile/protocol/schemas/requests";
import { findPageHost } from "../../../request/origin.ts";
import { readQuery } from "../../../request/query.ts";

/** Fetch modes of scripts. In these, a browser always names the page if it is of another origin. */
const SCRIPT_MODES: readonly string[] = ["cors", "same-origin"];
/**
 * Browsers' name for the destination of a script's fetch; `<img crossorigin>`, fonts and style
 * images have others.
 */
const SCRIPT_DESTINATION = "empty";

/**
 * Whether the browser says that a script of a page asks. A picture, frame or link needs no script.
 * It can hide its page, or be part of a stranger's text on a page of the site. It would then use up
 * the limits of everybody who looks at it.
 */
function isAskedByScript({ headers }: IncomingMessage): boolean {
  const mode = String(headers["sec-fetch-mode"] ?? "cors");
  const destination = String(headers["sec-fetch-dest"] ?? SCRIPT_DESTINATION);
  return SCRIPT_MODES.includes(mode) && destination === SCRIPT_DESTINATION;
}

/** Reads the query and the page's headers; undefined if the query is invalid (D8, challenge). */
export function readChallengeRequest(
  request: IncomingMessage,
):
  | Pick<ChallengeRequest, "siteKey" | "actionName" | "wantsFallback" | "batch" | "host">
  | undefined {
  const query = challengeQuerySchema.safeParse(readQuery(request.url ?? "")).data;
  if (query === undefined) return undefined;
  const page = isAskedByScript(request) ? findPageHost(request) : "foreign";
  return {
    siteKey: query.site_key,
    actionName: query.action,
    wantsFallback: query.fallback === "1",
    batch: query.batch,
    host: page === "unknown" ? undefined : page === "foreign" ? null : page.host,
  };
}
