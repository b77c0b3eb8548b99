/** Why the widget stopped, by name; each has a text with a fix in every language. */
export const WIDGET_ERROR_NAMES = [
  "network",
  "timeout",
  "csp_blocked",
  "endpoint_not_allowed",
  "attribute_invalid",
  "sitekey_missing",
  "sitekey_unknown",
  "hostname_not_allowed",
  "site_disabled",
  "rate_limited",
  "worker_failed",
  "solution_rejected",
  "blocked_by_policy",
  "internal",
] as const;

/** One of the names above. */
export type WidgetErrorName = (typeof WIDGET_ERROR_NAMES)[number];

/** What went wrong, for the visitor's text and the `stile:error` event. */
export type WidgetError = {
  readonly name: WidgetErrorName;
  /** What the text names: the page's host, the seconds to wait, or that the browser is `OFFLINE`; undefined where there is nothing to name. */
  readonly detail: string | undefined;
  /** The service's id of the refused request, for the owner's support (D11); undefined if no answer came. */
  readonly requestId: string | undefined;
};
