import { OFFLINE, type WidgetFault } from "../machine/widget-fault.ts";
import { sleep } from "../sleep.ts";
import type { PageServices } from "./page-services.ts";

/**
 * Why something of the service could not be loaded: the page's policy refuses it under that
 * directive, or the network failed.
 */
export async function whyUnreachable(
  refuses: PageServices["refuses"],
  directive: string,
): Promise<WidgetFault> {
  // A policy's report is queued before the refused request fails, but not always delivered before
  // that.
  await sleep();
  return refuses(directive)
    ? { name: "csp_blocked", detail: directive }
    : { name: "network", detail: navigator.onLine ? undefined : OFFLINE };
}
