import type { WidgetErrorName } from "../machine/widget-error.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";
import { reportToOwner } from "./report-to-owner.ts";
import { sayFault } from "./texts.ts";

/** Makes that error, and logs its built-in text for the page's owner; the service is at `base`. */
export function reportFault(base: string, name: WidgetErrorName, detail: string): WidgetFault {
  const error: WidgetFault = { name, detail };
  reportToOwner(base, error, sayFault(en, error));
  return error;
}
