import type { WidgetErrorName } from "../machine/widget-error.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { en } from "./en.ts";
import { tellOwner } from "./tell-owner.ts";
import { sayFault } from "./texts.ts";

/** That error, of which the page's owner is told in words that need no fetching. */
export function tellFault(name: WidgetErrorName, detail: string): WidgetFault {
  const error: WidgetFault = { name, detail };
  tellOwner(error, sayFault(en, error));
  return error;
}
