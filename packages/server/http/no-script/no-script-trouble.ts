import type { DelayAnswer } from "@stile/core/flows/challenge/no-script/issue-delay";
import type { DelaySubmissionAnswer } from "@stile/core/flows/challenge/no-script/submit-delay";
import { type Answer, type RequestContext, retryAfter } from "../answer.ts";
import type { Markup } from "../html.ts";
import { type Errand, type Trouble, troublePage } from "./no-script-pages.ts";
import type { NoScriptQuery } from "./no-script-request.ts";

/** Everything but a wait and a token. */
type Refusal = Exclude<DelayAnswer | DelaySubmissionAnswer, { kind: "waiting" | "issued" }>;

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A page without any script, that nobody frames, keeps or lists. */
export function page(status: number, { markup }: Markup, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    body: markup,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
      "X-Frame-Options": "DENY",
      "X-Robots-Tag": "noindex",
      ...headers,
    },
  };
}

const GO_BACK = "Go back to the form and use the link there.";

/** The query or the form is not what this page takes. */
export function badRequest(): Answer {
  return page(400, troublePage({ title: "This link is incomplete", text: GO_BACK }));
}

/** Neither asked for nor sent. */
export function wrongMethod(): Answer {
  return page(405, troublePage({ title: "This page can only be opened", text: GO_BACK }), { Allow: "GET, HEAD, POST" });
}

/** A fault of the service, for people. */
export function failed({ status, headers, mustClose }: Answer, { requestId }: RequestContext): Answer {
  const text = "That is not your doing. Wait a moment, then reload this page.";
  const answer = page(status, troublePage({ title: "The service has a problem", text, requestId }), headers);
  return { ...answer, ...(mustClose && { mustClose }) };
}

function errandOf({ siteKey, actionName, host }: NoScriptQuery): Errand {
  return { siteKey, actionName, host: host ?? undefined };
}

/** The same where the site's list of decisions names the request (D11). */
function listed(status: number, trouble: Trouble, headers?: Readonly<Record<string, string>>): Answer {
  return { ...page(status, troublePage(trouble), headers), isUnlogged: true };
}

/** Why there is no token, and what can be done. */
export function refuse(refusal: Refusal, query: NoScriptQuery, { requestId }: RequestContext): Answer {
  switch (refusal.kind) {
    case "invalid_site_key": {
      const text = "No site has the key in this link. Whoever runs the page with the form can mend it.";
      return page(404, troublePage({ title: "This link leads nowhere", text, requestId }));
    }
    case "domain_mismatch": {
      const text = `This link is not for the page that brought you here. ${GO_BACK}`;
      return listed(403, { title: "This link belongs to another page", text, requestId });
    }
    case "site_disabled": {
      const text = "The owner of the site has switched its protection off. Its forms take no codes at the moment.";
      return listed(403, { title: "There are no codes for this site now", text, requestId });
    }
    case "not_offered": {
      const text =
        "The owner of the site offers no way without JavaScript. Turn JavaScript on, or ask them for another way.";
      return page(403, troublePage({ title: "This form needs JavaScript", text, requestId }));
    }
    case "limited": {
      const headers = retryAfter(refusal.limit);
      const text = `Too many codes were asked for from your network, or for this site. Wait ${headers["Retry-After"]} seconds, then start again.`;
      return listed(429, { title: "Please come back in a moment", text, again: errandOf(query) }, headers);
    }
    case "retry": {
      const text = "A wait counts for ten minutes, in one browser and on one network, and yields one code.";
      return listed(400, { title: "Please start again", text, again: errandOf(query) });
    }
    case "blocked": {
      const text =
        "Too much about your request looks automated, so there is no code. If you think that is wrong, tell the owner of the site, with the reference below.";
      return listed(403, { title: "You get no code", text, requestId });
    }
    default:
      return refusal satisfies never;
  }
}
