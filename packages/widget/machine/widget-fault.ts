import type { WidgetError, WidgetErrorName } from "./widget-error.ts";

/** What went wrong, as the widget's own parts say it to each other: what there is nothing to say of may be left out. */
export type WidgetFault = Pick<WidgetError, "name"> & Partial<WidgetError>;

/** The service could not be asked, or failed: no fault of the page's or the visitor's, and a form need not wait for it (D15). */
const OUTAGES: readonly WidgetErrorName[] = ["network", "timeout", "internal"];

/** Detail of `network` where the browser says that it is not on any. */
export const OFFLINE = "offline";

/** Whether the service is out of reach or out of order, while the browser is online: the customer's server can decide without it. */
export const isOutage = ({ name, detail }: WidgetFault): boolean => OUTAGES.includes(name) && detail !== OFFLINE;

/** Whether the page says something that is refused, or refuses it itself: only who writes the page can mend it. */
export const isOfPage = ({ name }: WidgetFault): boolean => /^(csp|endpoint|attr)|_missing$/.test(name);

/** Whether trying again may help without anybody doing anything else. */
export const mayPass = ({ name }: WidgetFault): boolean => OUTAGES.includes(name) || name === "rate_limited";
