import { reportFault } from "../languages/report-fault.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { readAttribute } from "./read-attribute.ts";

/**
 * The error of an element whose `endpoint` is not the service of the script itself. The check runs
 * before anything is loaded: a stranger who can write markup into a page must not choose whose code
 * it runs (D8, challenge). Also logs the error for the page's owner.
 */
export function foreignEndpoint(element: Element, base: string): WidgetFault | undefined {
  const isOwn = [base, `${base}/`].includes(readAttribute(element, "endpoint") ?? base);
  return isOwn ? undefined : reportFault(base, "endpoint_not_allowed", base);
}
