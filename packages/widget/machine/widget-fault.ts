import type { WidgetError } from "./widget-error.ts";

/** What went wrong, as the widget's own parts say it to each other: what there is nothing to say of may be left out. */
export type WidgetFault = Pick<WidgetError, "name"> & Partial<WidgetError>;

/** Detail of `network` where the browser says that it is not on any. */
export const OFFLINE = "offline";

/**
 * Whether the service could not be asked, or failed, while the browser is online: no fault of the page's or the visitor's, and the customer's
 * server can decide without it (D15).
 */
export const isOutage = ({ name, detail }: WidgetFault): boolean =>
  /^(network|timeout|internal)$/.test(name) && detail !== OFFLINE;

/** Whether the page says something that is refused, or refuses it itself: only who writes the page can mend it. */
export const isOfPage = ({ name }: WidgetFault): boolean => /^(csp|endpoint|attr)|_missing$/.test(name);

/** Whether trying again may help without anybody doing anything else. */
export const mayPass = ({ name }: WidgetFault): boolean => /^(network|timeout|internal|rate_limited)$/.test(name);
