import { tellOwner } from "../languages/tell-owner.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";

/** A function that a page gives the widget; its argument depends on when it is called. */
export type Callback = (given?: string) => unknown;

type CallingElement = Element & {
  readonly state: string;
  readonly value: string;
};

/** The functions that a widget was rendered with, by their names. */
export const given = new WeakMap<Element, Map<string, Callback>>();

/**
 * The function at a dotted path from the page's own globals: nothing inherited, no element with that name, nothing
 * evaluated. If there is none, the page's owner is told, since nothing else shows why nothing is called.
 */
export function ownFunction(path: string | null): Callback | undefined {
  let found: unknown = globalThis;
  for (const name of (path ?? "").split(".")) {
    found = Object.hasOwn(Object(found), name) ? (found as Record<string, unknown>)[name] : undefined;
  }
  if (typeof found === "function") return found as Callback;
  if (path) tellOwner({ name: "attribute_invalid" }, `window.${path} is no function.`);
  return undefined;
}

/**
 * Calls the page's function of that name, if any; what it throws goes to the page's error handlers and stops nothing.
 */
function callBack(element: CallingElement, name: string, argument?: string): void {
  try {
    (given.get(element)?.get(name) ?? ownFunction(readAttribute(element, name)))?.(argument);
  } catch (cause) {
    reportError(cause);
  }
}

/** Elements whose callbacks are already connected to their events. */
const listening = new WeakSet<Element>();

/** Connects a widget's callbacks to its events, and calls those for the state that it reached in the meantime. */
export async function listen(_page: PageServices, element: CallingElement): Promise<void> {
  if (listening.has(element)) return;
  listening.add(element);
  const on = (event: string, then: (detail: Readonly<Record<string, string>>) => void): void =>
    element.addEventListener(`stile:${event}`, (fired) => {
      // Events that bubble up from a widget inside this one are not its own.
      if (fired.target === element) then((fired as CustomEvent).detail);
    });
  let isInteractive = false;
  const ask = (): void => {
    isInteractive = true;
    callBack(element, "before-interactive-callback");
  };
  on("statechange", () => {
    if (isInteractive) callBack(element, "after-interactive-callback");
    isInteractive = false;
  });
  on("verified", ({ token }) => callBack(element, "callback", token));
  on("interactive", ask);
  for (const name of ["expired", "unsupported"]) on(name, () => callBack(element, `${name}-callback`));
  on("error", ({ name }) => {
    callBack(element, "error-callback", name);
    if (name === "timeout") callBack(element, "timeout-callback");
  });
  if (element.state === "interactive") ask();
  if (element.state === "verified") callBack(element, "callback", element.value);
}
