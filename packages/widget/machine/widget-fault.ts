import type { WidgetError, WidgetErrorName } from "./widget-error.ts";

/** An error, as the widget's own parts pass it on: undefined fields may be left out. */
export type WidgetFault = Pick<WidgetError, "name"> & Partial<WidgetError>;

/** Detail of `network` if the browser reports that it is offline. */
export const OFFLINE = "offline";

const OUTAGES: ReadonlySet<WidgetErrorName> = new Set<WidgetErrorName>([
  "network",
  "timeout",
  "internal",
]);
const OF_PAGE: ReadonlySet<WidgetErrorName> = new Set<WidgetErrorName>([
  "csp_blocked",
  "endpoint_not_allowed",
  "attribute_invalid",
  "sitekey_missing",
]);

/**
 * Whether the service could not be reached, or failed, while the browser is online: neither the
 * page nor the visitor is at fault, and the customer's server can decide without it (D15, outage).
 */
export const isOutage = ({ name, detail }: WidgetFault): boolean =>
  OUTAGES.has(name) && detail !== OFFLINE;

/**
 * Whether the page contains something that is refused, or itself refuses something: only the page's
 * author can fix it.
 */
export const isOfPage = ({ name }: WidgetFault): boolean => OF_PAGE.has(name);

/** Whether trying again may help without anybody doing anything else. */
export const mayPass = ({ name }: WidgetFault): boolean =>
  OUTAGES.has(name) || name === "rate_limited";
