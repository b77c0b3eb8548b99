import type { WidgetFault } from "../machine/widget-fault.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * What in the element's markup only the page's owner can mend, before anything is asked of the service (D9); `foreignEndpoint` is looked
 * at before this is loaded.
 */
export function faultOf(element: Element): WidgetFault | undefined {
  const read = (name: string, otherwise = ""): string => readAttribute(element, name) ?? otherwise;
  if (!read("sitekey")) return { name: "sitekey_missing" };
  const isGood = /^[\w./-]{1,64}$/.test(read("action", "-"));
  const bad = isGood ? new Blob([read("cdata")]).size > 255 && "cdata" : "action";
  return bad ? { name: "attribute_invalid", detail: bad } : undefined;
}
