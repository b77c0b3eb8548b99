import { tellFault } from "../languages/tell-fault.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * The error of an element whose `endpoint` names another service than the script's own; this is
 * checked before anything is loaded, since whoever can write markup into a page must not choose
 * whose code it runs (D8). The page's owner is told.
 */
export function foreignEndpoint(element: Element, base: string): WidgetFault | undefined {
  const isOwn = [base, `${base}/`].includes(readAttribute(element, "endpoint") ?? base);
  return isOwn ? undefined : tellFault(base, "endpoint_not_allowed", base);
}
