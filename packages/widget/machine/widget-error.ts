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

/** The service could not be asked, or failed: no fault of the page's or the visitor's, and a form need not wait for it (D15). */
const OUTAGES: readonly WidgetErrorName[] = ["network", "timeout", "internal"];

/** What went wrong, for the visitor's text and the `stile:error` event. */
export type WidgetError = {
  readonly name: WidgetErrorName;
  /** What the text names: the page's host, the seconds to wait, or that the browser is `OFFLINE`; undefined where there is nothing to name. */
  readonly detail: string | undefined;
  /** The service's id of the refused request, for the owner's support (D11); undefined if no answer came. */
  readonly requestId: string | undefined;
};

/** An error without detail or request id. */
export function widgetError(name: WidgetErrorName, detail?: string, requestId?: string): WidgetError {
  return { name, detail, requestId };
}

/** Detail of `network` where the browser says that it is not on any. */
export const OFFLINE = "offline";

/** Whether the service is out of reach or out of order, while the browser is online: the customer's server can decide without it. */
export const isOutage = ({ name, detail }: WidgetError): boolean => OUTAGES.includes(name) && detail !== OFFLINE;

/** Whether the page says something that is refused: only who writes the page can mend it, and nothing was asked of the service. */
export const isOfPage = ({ name }: WidgetError): boolean => /^(endpoint|attribute)_|_missing$/.test(name);

/** Whether trying again may help without anybody doing anything else. */
export const mayPass = ({ name }: WidgetError): boolean => OUTAGES.includes(name) || name === "rate_limited";
