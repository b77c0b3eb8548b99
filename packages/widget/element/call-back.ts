import { reportToOwner } from "../languages/report-to-owner.ts";
import type { WidgetState } from "../machine/widget-state.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";

/** A function that a page gives the widget; its argument depends on when it is called. */
export type Callback = (given?: string) => unknown;

/**
 * Callback data stored on the element, so that each copy of this code finds it: a copy that loaded
 * late may be there twice.
 */
export type CallingElement = Element & {
  /** The functions that the widget was rendered with, by their names. */
  given?: Map<string, Callback>;
  /** Whether its callbacks are already connected to its events. */
  isHeard?: boolean;
};

/**
 * The function at a dotted path from the page's own globals: nothing inherited, no element with
 * that name, nothing evaluated. If there is none, logs that for the page's owner, since nothing
 * else shows why nothing is called; the service is at `base`.
 */
export function ownFunction(base: string, path: string | null): Callback | undefined {
  let found: unknown = globalThis;
  for (const name of (path ?? "").split(".")) {
    found = Object.hasOwn(Object(found), name)
      ? (found as Record<string, unknown>)[name]
      : undefined;
  }
  if (typeof found === "function") return found as Callback;
  if (path) reportToOwner(base, { name: "attribute_invalid" }, `window.${path} is no function.`);
  return undefined;
}

/**
 * Calls the page's function of that name, if any. An error that it throws goes to the page's error
 * handlers and stops nothing.
 */
function callBack(base: string, element: CallingElement, name: string, argument?: string): void {
  try {
    (element.given?.get(name) ?? ownFunction(base, readAttribute(element, name)))?.(argument);
  } catch (cause) {
    reportError(cause);
  }
}

type EventDetail = { readonly name?: string; readonly token?: string };

/**
 * Connects a widget's callbacks to its events, and calls those for the state that it reached in the
 * meantime. A `stile.js` of the previous version does not pass that state.
 */
export async function listen(
  { base }: PageServices,
  element: CallingElement,
  reached?: WidgetState,
): Promise<void> {
  if (element.isHeard) return;
  element.isHeard = true;
  const on = (event: string, then: (detail: EventDetail) => void): void => {
    element.addEventListener(`stile:${event}`, (fired) => {
      // Events that bubble up from a widget inside this one are not its own.
      if (fired.target === element) then((fired as CustomEvent).detail);
    });
    if (reached?.name === event)
      then((reached as { readonly error?: EventDetail }).error ?? reached);
  };
  let isInteractive = false;
  on("statechange", () => {
    if (isInteractive) callBack(base, element, "after-interactive-callback");
    isInteractive = false;
  });
  on("verified", ({ token }) => callBack(base, element, "callback", token));
  on("interactive", () => {
    isInteractive = true;
    callBack(base, element, "before-interactive-callback");
  });
  for (const name of ["expired", "unsupported"])
    on(name, () => callBack(base, element, `${name}-callback`));
  on("error", ({ name }) => {
    callBack(base, element, "error-callback", name);
    if (name === "timeout") callBack(base, element, "timeout-callback");
  });
}
