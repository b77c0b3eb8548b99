import type { LimitState } from "@stile/core/domain/rate-window";
import { type Answer, errorAnswer, type RequestContext } from "../answer/answer.ts";
import { retryAfter } from "../answer/limit-headers.ts";

/** The widget endpoints' 404 (D8, challenge). */
export function unknownSiteKey(context: RequestContext): Answer {
  const message =
    "No site has this site key. Copy it from the site's page in the dashboard. Test keys don't work on a service that strangers can reach.";
  return errorAnswer("invalid_site_key", context, { message });
}

/**
 * 403 for a page whose host is unknown or not among the site's domains (D8, challenge; D9,
 * submission).
 */
export function domainMismatch(
  context: RequestContext,
  { host, isTest }: { readonly host: string | null | undefined; readonly isTest?: true },
): Answer {
  const message = isTest
    ? `Test keys don't work for a page on ${host ?? "an unknown host"}, or the request came through a proxy. STILE_TEST_HOSTS names the hosts of tests.`
    : host === undefined || host === null
      ? "The request names no page that counts (a file or a sandboxed frame is none). Load the widget from a page on one of the site's domains."
      : `The host ${host} is not among the site's domains. Add it in the site's settings.`;
  return { ...errorAnswer("domain_mismatch", context, { message }), isUnlogged: true };
}

/** 403 for a site that its owner has disabled (D8, challenge). */
export function siteDisabled(context: RequestContext): Answer {
  const message = "This site is disabled. Its owner can enable it in the dashboard.";
  return { ...errorAnswer("site_disabled", context, { message }), isUnlogged: true };
}

/** The widget endpoints' 429 (D10, limits). */
export function limited(context: RequestContext, limit: LimitState): Answer {
  const message = "Too many challenges this minute. Try again after the time given in Retry-After.";
  return {
    ...errorAnswer("rate_limited", context, { message, headers: retryAfter(limit) }),
    isUnlogged: true,
  };
}
