import type { IncomingMessage } from "node:http";
import { parseHostName } from "@stile/core/domain/site/host-name";
import type { DelayRequest } from "@stile/core/flows/challenge/no-script/issue-delay";
import type { DelaySubmission } from "@stile/core/flows/challenge/no-script/judge-delay";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { noScriptFormSchema, noScriptQuerySchema } from "@stile/protocol/schemas/requests";
import { readBytes } from "../request/body.ts";
import { findPageHost } from "../request/origin.ts";
import { readQuery } from "../request/query.ts";

/** What the address says, and the page from which the visitor came. */
export type NoScriptQuery = Pick<DelayRequest, "siteKey" | "actionName" | "host">;

/** What the form says. */
export type NoScriptForm = Pick<DelaySubmission, "siteKey" | "actionName" | "host" | "delay">;

/** Whether somebody followed a link, as far as the browser says: it did not load the page into another one, nor ahead of a visit. */
function isFollowed({ headers }: IncomingMessage): boolean {
  const isPage = (headers["sec-fetch-dest"] ?? "document") === "document";
  return isPage && !/prefetch/.test(`${headers["sec-purpose"] ?? ""} ${headers.purpose ?? ""}`);
}

/**
 * Reads the address of GET /noscript; undefined if it is not one that a page's link would have, or if nobody followed a link: a
 * picture on any page, or its wish to have the link ready, could use up what its visitors' networks, and the site, have of waits.
 */
export function readNoScriptQuery(request: IncomingMessage): NoScriptQuery | undefined {
  if (!isFollowed(request)) return undefined;
  const query = noScriptQuerySchema.safeParse(readQuery(request.url ?? "")).data;
  if (query === undefined) return undefined;
  const { sitekey: siteKey, action: actionName } = query;
  if (query.host !== undefined) return { siteKey, actionName, host: parseHostName(query.host) ?? null };
  const from = findPageHost(request);
  return { siteKey, actionName, host: from === "unknown" ? undefined : from === "foreign" ? null : from.host };
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * Reads the form of POST /noscript; undefined if it is not one that the page sends. Its host ends up in a token, so it is read like
 * any other: what merely ends in a domain of the site is no host. Rejects with RequestAborted.
 */
export async function readForm(request: IncomingMessage): Promise<NoScriptForm | undefined> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? Number.NaN);
  const limit = BODY_LIMITS.noScript.bytes;
  // Without an announced length a body could come in crumbs, each of which weighs far more than its bytes.
  if (!(length <= limit) || !FORM_TYPE.test(headers["content-type"] ?? "")) return undefined;
  const bytes = await readBytes(request, limit);
  if (bytes === "too_large") return undefined;
  const form = noScriptFormSchema.safeParse(readQuery(`?${bytes.toString("latin1")}`)).data;
  const host = parseHostName(form?.host ?? "");
  if (form === undefined || host === undefined) return undefined;
  return { siteKey: form.sitekey, actionName: form.action, host, delay: form.delay };
}
