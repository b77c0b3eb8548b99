import type { WidgetFault } from "../machine/widget-fault.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * Faults in the element's markup that only the page's owner can fix, found before the service is
 * asked for anything (D9); `foreignEndpoint` was checked before this code was loaded.
 */
export function faultOf(element: Element): WidgetFault | undefined {
  const read = (name: string, otherwise = ""): string => readAttribute(element, name) ?? otherwise;
  if (!read("sitekey")) return { name: "sitekey_missing" };
  const isGood = /^[\w./-]{1,64}$/.test(read("action", "-"));
  const bad = isGood ? new Blob([read("cdata")]).size > 255 && "cdata" : "action";
  return bad ? { name: "attribute_invalid", detail: bad } : undefined;
}
