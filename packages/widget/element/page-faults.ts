import { type WidgetError, widgetError } from "../machine/widget-error.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * What in the element's markup only the page's owner can mend, before anything is asked of the service (D9); `foreignEndpoint` is looked
 * at before this is loaded.
 */
export function faultOf(element: Element): WidgetError | undefined {
  const read = (name: string, otherwise = ""): string => readAttribute(element, name) ?? otherwise;
  if (!read("sitekey")) return widgetError("sitekey_missing");
  const isGood = /^[\w./-]{1,64}$/.test(read("action", "-"));
  const bad = isGood ? new Blob([read("cdata")]).size > 255 && "cdata" : "action";
  return bad ? widgetError("attribute_invalid", bad) : undefined;
}
