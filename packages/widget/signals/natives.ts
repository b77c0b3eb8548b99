import { clip } from "../untrusted.ts";
import { type FoundFacts, readNavigator } from "./browser-facts.ts";

/**
 * A built-in function that is not as the browser made it: its name, and its text or where it was
 * found.
 */
export type ForeignNative = readonly [name: string, found: string];

/** The report of a new frame of the page's own origin, before anybody could tamper with it. */
export type FreshProbe = { readonly facts: FoundFacts; readonly natives: readonly ForeignNative[] };

/** The parts of a window's realm that are inspected; any of them may be missing. */
type Realm = {
  readonly Function: typeof Function;
  readonly Navigator?: { readonly prototype: object };
  readonly Permissions?: { readonly prototype: object };
};

/**
 * Whether this is the text of a built-in: its name and no source. A wrapped function (Proxy) has
 * lost its name.
 */
const isNativeText = (text: string, name: string): boolean =>
  new RegExp(`^function (get )?${name}\\(\\)\\s*\\{\\s*\\[native code\\]\\s*\\}$`).test(text);

/**
 * Of two built-ins that hide a driver when replaced (`navigator.webdriver`, `Permissions.query`),
 * those that are not the browser's own. Pages and privacy extensions replace others for reasons of
 * their own, including Function.prototype.toString (core-js, zone.js), so this reads the text with
 * another realm's function.
 */
export function foreignNatives(
  page: Realm & { readonly navigator: object },
  toText: () => string,
): ForeignNative[] {
  const found: ForeignNative[] = [];
  const look = (prototype: object | undefined, name: string): void => {
    if (prototype === undefined) return;
    const { get, value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    const native: unknown = get ?? value;
    const text = typeof native === "function" ? toText.call(native) : "missing";
    if (!isNativeText(text, name)) found.push([name, clip(text, 64)]);
  };
  look(page.Navigator?.prototype, "webdriver");
  look(page.Permissions?.prototype, "query");
  if (Object.hasOwn(page.navigator, "webdriver")) found.push(["webdriver", "own"]);
  return found;
}

/**
 * Opens an empty frame for a moment and inspects the browser through it; null if the page can't
 * have such frames.
 */
export function lookThroughFreshFrame(): FreshProbe | null {
  const iframe = document.createElement("iframe");
  iframe.hidden = true;
  try {
    document.documentElement.append(iframe);
    const fresh = iframe.contentWindow as (Window & Realm) | null;
    if (fresh === null) return null;
    const page = window as Window & Realm;
    return {
      facts: readNavigator(fresh.navigator),
      natives: foreignNatives(page, fresh.Function.prototype.toString),
    };
  } catch {
    return null;
  } finally {
    iframe.remove();
  }
}
