import type { WidgetErrorName } from "../machine/widget-error.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";
import { tellOwner } from "./tell-owner.ts";
import { sayFault } from "./texts.ts";

/** Makes that error, and tells the page's owner in built-in words; the service is at `base`. */
export function tellFault(base: string, name: WidgetErrorName, detail: string): WidgetFault {
  const error: WidgetFault = { name, detail };
  tellOwner(base, error, sayFault(en, error));
  return error;
}
