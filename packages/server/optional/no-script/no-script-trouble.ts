import { parseContact } from "@stile/core/domain/site/contact";
import type { DelayAnswer } from "@stile/core/no-script/issue-delay";
import type { DelaySubmissionAnswer } from "@stile/core/no-script/submit-delay";
import type { Answer, RequestContext } from "../../http/answer/answer.ts";
import type { Markup } from "../../http/answer/html.ts";
import { type Errand, type Trouble, troublePage } from "./no-script-pages.ts";
import type { NoScriptQuery } from "./no-script-request.ts";
import type { Words } from "./words.ts";

/** Every answer except a wait or a token. */
type Refusal = Exclude<
  DelayAnswer | DelaySubmissionAnswer,
  { kind: "waiting" | "limited" | "issued" }
>;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page without scripts in the language of these words. Nobody may frame, cache or index it. */
export function page(
  status: number,
  { language }: Words,
  { markup }: Markup,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    body: markup,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Language": language,
      Vary: "Accept-Language",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "X-Frame-Options": "DENY",
      "X-Robots-Tag": "noindex",
      ...headers,
    },
  };
}

function trouble(
  status: number,
  words: Words,
  trouble: Trouble,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return page(status, words, troublePage(words, trouble), headers);
}

/** The query or the form is invalid. */
export function badRequest(words: Words): Answer {
  return trouble(400, words, { title: "incomplete", text: "goBack" });
}

/** Another method than GET, HEAD or POST, which no browser uses here. */
export function wrongMethod(words: Words): Answer {
  return trouble(405, words, { title: "incomplete", text: "goBack" }, { Allow: "GET, HEAD, POST" });
}

/** A fault of the service, in plain words. */
export function failed(
  { status, headers, mustClose }: Answer,
  { requestId }: RequestContext,
  words: Words,
): Answer {
  const answer = trouble(status, words, { title: "faultTitle", text: "fault", requestId }, headers);
  return { ...answer, ...(mustClose && { mustClose }) };
}

function errandOf({ siteKey, actionName, host }: NoScriptQuery): Errand {
  return { siteKey, actionName, host: host ?? undefined };
}

/**
 * Says why there is no token, and what to do. Refusals that a site's decisions list are not logged
 * (D11, errors).
 */
export function refuse(
  refusal: Refusal,
  query: NoScriptQuery,
  { requestId }: RequestContext,
  words: Words,
): Answer {
  const isUnlogged = true;
  switch (refusal.kind) {
    case "invalid_site_key":
      return trouble(404, words, { title: "unknownTitle", text: "unknown", requestId });
    case "domain_mismatch":
      return {
        ...trouble(403, words, { title: "foreignTitle", text: "goBack", requestId }),
        isUnlogged,
      };
    case "site_disabled":
      return {
        ...trouble(403, words, { title: "disabledTitle", text: "disabled", requestId }),
        isUnlogged,
      };
    case "not_offered":
      return trouble(403, words, { title: "notOfferedTitle", text: "notOffered", requestId });
    case "retry":
      return {
        ...trouble(400, words, { title: "retryTitle", text: "retry", again: errandOf(query) }),
        isUnlogged,
      };
    case "blocked":
      return {
        ...trouble(403, words, {
          title: "blockedTitle",
          text: "blocked",
          contact: refusal.site && parseContact(refusal.site.contact),
          requestId,
        }),
        isUnlogged,
      };
    default:
      return refusal satisfies never;
  }
}
