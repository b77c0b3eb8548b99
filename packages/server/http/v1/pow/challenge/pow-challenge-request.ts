import type { IncomingMessage } from "node:http";
import type { ChallengeRequest } from "@stile/core/flows/challenge/issue-challenge";
import { challengeQuerySchema } from "@stile/protocol/schemas/requests";
import { findPageHost } from "../../../request/origin.ts";
import { readQuery } from "../../../request/query.ts";

/** Modes in which a script asks with `fetch`, under which a browser always says from which page, where that is another. */
const SCRIPT_MODES: readonly string[] = ["cors", "same-origin"];
/** What a browser calls the place of an answer that goes to a script; that of `<img crossorigin>`, a font or a style's picture has a name. */
const SCRIPT_DESTINATION = "empty";

/**
 * Whether a script of a page asks, as far as the browser says: a picture, a frame or a link needs none, can hide which page it stands
 * in, or stand in what a stranger wrote on a page of the site, and would draw on the limits of everybody who looks at it.
 */
function isAskedByScript({ headers }: IncomingMessage): boolean {
  const mode = String(headers["sec-fetch-mode"] ?? "cors");
  const destination = String(headers["sec-fetch-dest"] ?? SCRIPT_DESTINATION);
  return SCRIPT_MODES.includes(mode) && destination === SCRIPT_DESTINATION;
}

/** What the query and the page's headers ask for; undefined if the query is not what this endpoint takes (D8). */
export function readChallengeRequest(
  request: IncomingMessage,
): Pick<ChallengeRequest, "siteKey" | "actionName" | "wantsFallback" | "batch" | "host"> | undefined {
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
