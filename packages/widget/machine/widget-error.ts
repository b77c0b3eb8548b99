/** Why the widget stopped, by name; each has a text with advice in every language. */
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

/** The error, for the visitor's text and the `stile:error` event. */
export type WidgetError = {
  readonly name: WidgetErrorName;
  /**
   * The detail in the text: the page's host, seconds to wait, or `OFFLINE` if the browser is;
   * undefined if none.
   */
  readonly detail: string | undefined;
  /**
   * The service's id of the refused request, for the owner's support (D11, errors); undefined if no
   * answer came.
   */
  readonly requestId: string | undefined;
};
