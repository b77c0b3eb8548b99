import type { IncomingMessage } from "node:http";
import { parseHostName } from "@stile/core/domain/site/host-name";
import type { DelaySubmission } from "@stile/core/no-script/assess-delay";
import type { DelayRequest } from "@stile/core/no-script/delay-request";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { noScriptFormSchema, noScriptQuerySchema } from "@stile/protocol/schemas/requests";
import { readBytes } from "../../http/request/body.ts";
import { findPageHost } from "../../http/request/origin.ts";
import { readQuery } from "../../http/request/query.ts";

/** The values in the URL, and the page that the visitor came from. */
export type NoScriptQuery = Pick<DelayRequest, "siteKey" | "actionName" | "host">;

/** The values in the form. */
export type NoScriptForm = Pick<DelaySubmission, "siteKey" | "actionName" | "host" | "delay">;

/**
 * Whether the browser says that a person followed a link. It then neither embeds the page nor loads
 * it in advance.
 */
function isFollowed({ headers }: IncomingMessage): boolean {
  const isPage = (headers["sec-fetch-dest"] ?? "document") === "document";
  return isPage && !/prefetch/.test(`${headers["sec-purpose"] ?? ""} ${headers.purpose ?? ""}`);
}

/**
 * Reads the URL of GET /noscript. Undefined if no page would link to it, or if nobody followed a
 * link. Otherwise a picture on any page, or its request to prefetch, could use up the waits of its
 * visitors' networks and of the site.
 */
export function readNoScriptQuery(request: IncomingMessage): NoScriptQuery | undefined {
  if (!isFollowed(request)) return undefined;
  const query = noScriptQuerySchema.safeParse(readQuery(request.url ?? "")).data;
  if (query === undefined) return undefined;
  const { sitekey: siteKey, action: actionName } = query;
  if (query.host !== undefined)
    return { siteKey, actionName, host: parseHostName(query.host) ?? null };
  const from = findPageHost(request);
  return {
    siteKey,
    actionName,
    host: from === "unknown" ? undefined : from === "foreign" ? null : from.host,
  };
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/**
 * Reads the form of POST /noscript; undefined if this page would not send it. Its host is written
 * into a token, so it is parsed in full: a text that merely ends in a domain of the site is not a
 * host. Rejects with RequestAborted.
 */
export async function readForm(request: IncomingMessage): Promise<NoScriptForm | undefined> {
  const { headers } = request;
  const length = Number(headers["content-length"] ?? Number.NaN);
  const limit = BODY_LIMITS.noScript.bytes;
  // Without an announced length, a body could arrive in tiny pieces. Those take far more memory
  // than their bytes.
  if (!(length <= limit) || !FORM_TYPE.test(headers["content-type"] ?? "")) return undefined;
  const bytes = await readBytes(request, limit);
  if (bytes === "too_large") return undefined;
  const form = noScriptFormSchema.safeParse(readQuery(`?${bytes.toString("latin1")}`)).data;
  const host = parseHostName(form?.host ?? "");
  if (form === undefined || host === undefined) return undefined;
  return { siteKey: form.sitekey, actionName: form.action, host, delay: form.delay };
}
