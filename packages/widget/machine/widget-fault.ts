import type { WidgetError } from "./widget-error.ts";

/** What went wrong, as the widget's own parts pass it on: undefined fields may be left out. */
export type WidgetFault = Pick<WidgetError, "name"> & Partial<WidgetError>;

/** Detail of `network` if the browser reports that it is offline. */
export const OFFLINE = "offline";

/**
 * Whether the service could not be reached, or failed, while the browser is online: neither the
 * page nor the visitor is at fault, and the customer's server can decide without it (D15).
 */
export const isOutage = ({ name, detail }: WidgetFault): boolean =>
  /^(network|timeout|internal)$/.test(name) && detail !== OFFLINE;

/**
 * Whether the page says something that is refused, or itself refuses something: only the page's
 * author can fix it.
 */
export const isOfPage = ({ name }: WidgetFault): boolean =>
  /^(csp|endpoint|attr)|_missing$/.test(name);

/** Whether trying again may help without anybody doing anything else. */
export const mayPass = ({ name }: WidgetFault): boolean =>
  /^(network|timeout|internal|rate_limited)$/.test(name);
