import { type WidgetError, widgetError } from "../machine/widget-error.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * What in the element's markup only the page's owner can mend, before anything is asked of the service (D9). Whoever can write markup
 * into a page must not choose whose code it runs, so another service's name is refused.
 */
export function faultOf(element: Element, base: string): WidgetError | undefined {
  const read = (name: string, otherwise = ""): string => readAttribute(element, name) ?? otherwise;
  if (!read("sitekey")) return widgetError("sitekey_missing");
  if (![base, `${base}/`].includes(read("endpoint", base))) return widgetError("endpoint_not_allowed", base);
  const isGood = /^[\w./-]{1,64}$/.test(read("action", "-"));
  const bad = isGood ? new Blob([read("cdata")]).size > 255 && "cdata" : "action";
  return bad ? widgetError("attribute_invalid", bad) : undefined;
}
