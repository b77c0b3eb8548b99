import { clip } from "../untrusted.ts";
import { type FoundFacts, readNavigator } from "./browser-facts.ts";

/** A built-in function that is not as the browser made it: its name, and its text or where it was put. */
export type ForeignNative = readonly [name: string, found: string];

/** What a frame of the page's own origin says that nobody had the time to prepare. */
export type FreshProbe = { readonly facts: FoundFacts; readonly natives: readonly ForeignNative[] };

/** The parts of a window's realm that are looked at; any of them may be missing. */
type Realm = {
  readonly Function: typeof Function;
  readonly Navigator?: { readonly prototype: object };
  readonly Permissions?: { readonly prototype: object };
};

/** The text of a built-in: its name and no source. A wrapped one (Proxy) has lost its name. */
const isNativeText = (text: string, name: string): boolean =>
  new RegExp(`^function (get )?${name}\\(\\)\\s*\\{\\s*\\[native code\\]\\s*\\}$`).test(text);

/**
 * Those of two built-ins that hide a driver when they are replaced (`navigator.webdriver`, `Permissions.query`) and that are not the
 * browser's own. Pages and privacy extensions replace others for reasons of their own, Function.prototype.toString among them
 * (core-js, zone.js), so the text is read with another realm's.
 */
export function foreignNatives(page: Realm & { readonly navigator: object }, toText: () => string): ForeignNative[] {
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

/** Opens an empty frame for a moment and looks at the browser through it; null where the page has no such frames. */
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
