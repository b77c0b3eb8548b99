import { en } from "../languages/en.ts";
import { tellOwner } from "../languages/tell-owner.ts";
import { sayFault } from "../languages/texts.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * The error of an element whose `endpoint` names another service than the script's own, looked for before anything is loaded: whoever can
 * write markup into a page must not choose whose code it runs (D8). The page's owner is told.
 */
export function foreignEndpoint(element: Element, base: string): WidgetFault | undefined {
  if ([base, `${base}/`].includes(readAttribute(element, "endpoint") ?? base)) return undefined;
  const error: WidgetFault = { name: "endpoint_not_allowed", detail: base };
  tellOwner(error, sayFault(en, error));
  return error;
}
