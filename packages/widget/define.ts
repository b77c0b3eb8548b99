// The script a page loads: defines <stile-captcha> and window.stile, and starts to observe.
import { findWidget } from "./element/find-widget.ts";
import { watchPolicy } from "./element/page-policy.ts";
import type { PageServices } from "./element/page-services.ts";
import { StileCaptcha } from "./element/stile-captcha.ts";
import { SPOKEN } from "./languages/choose-language.ts";
import { reportToOwner } from "./languages/report-to-owner.ts";
import { loadSurface } from "./load-surface.ts";
import { ownAddress, withoutSlash } from "./service/own-address.ts";
import { recordBehaviour } from "./signals/behaviour-recorder.ts";
import type { Stile, Which } from "./stile.ts";
import type { surface } from "./surface.ts";

type Rare = Record<string, (...given: unknown[]) => never>;

/** A page that must configure the service's address has done so by now, ms. */
const CONFIGURED_WITHIN_MS = 3_000;

const VERSION = "0.1.0";

// A second copy of the script on one page does nothing.
if (!customElements.get("stile-captcha")) {
  const { currentScript } = document;
  // An element of the page with that name may hide the real property.
  const script = currentScript instanceof HTMLScriptElement ? currentScript : undefined;
  // Only the script's own address is read, never the page's: visitors follow links that others
  // made.
  const { searchParams } = new URL(script?.src || "about:blank");
  const page: { base: string } & PageServices = {
    base: (script && ownAddress(script)) ?? "",
    removed: new WeakSet(),
    recorder: recordBehaviour(),
    refuses: watchPolicy(() => page.base),
  };
  /** Loads the code that renders elements by their class as soon as there is one, now or later. */
  const watchClass = (): void => {
    const found = document.getElementsByClassName("stile-captcha");
    const look = (): void => {
      if (!found[0]) return;
      observer.disconnect();
      void rare("renderByClass")();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, attributeFilter: ["class"] });
    look();
  };
  const define = (): void => {
    customElements.define(
      "stile-captcha",
      class extends StileCaptcha {
        constructor() {
          super(page);
        }

        // Drivers measure an element before they press it.
        override getClientRects(): DOMRectList {
          page.recorder.recordCaller();
          return super.getClientRects();
        }

        override getBoundingClientRect(): DOMRect {
          page.recorder.recordCaller();
          return super.getBoundingClientRect();
        }
      },
    );
    if (searchParams.get("render") !== "explicit") watchClass();
  };
  /** A function that few pages call: its code is loaded on the first call. */
  const rare =
    (name: keyof typeof surface) =>
    async (...given: unknown[]): Promise<never> => {
      const run = page.base && ((await loadSurface(page.base)) as Rare | undefined)?.[name];
      if (!run) throw new Error(`stile.${name}: ${page.base ? "network" : "endpoint_unknown"}`);
      return run(page, ...given);
    };
  /** Widgets just rendered, by the element that they are about to enter. */
  const coming = new WeakMap<Element, StileCaptcha>();
  const stile: Stile = {
    version: VERSION,
    languages: SPOKEN,
    ready: rare("ready"),
    collect: rare("collect"),
    execute: rare("execute"),
    fetch: rare("fetch"),
    getResponse: (widget?: Which) => findWidget(widget)?.value ?? "",
    isExpired: (widget?: Which) => findWidget(widget)?.state === "expired",
    reset: (widget?: Which) => findWidget(widget)?.reset(),
    remove: (which?: Which) => {
      const widget = findWidget(which);
      if (widget?.parentElement) page.removed?.add(widget.parentElement);
      widget?.remove();
    },
    // Synchronous, so that a second call, and `remove`, find the widget that the first call is
    // still inserting. React's StrictMode makes both calls.
    render: (container, params) => {
      const parent =
        typeof container === "string"
          ? (document.getElementById(container) ?? document.querySelector(container))
          : container;
      const there = coming.get(parent as Element);
      if (there?.parentNode) return there;
      const widget = document.createElement("stile-captcha") as StileCaptcha;
      const holder = new DocumentFragment();
      holder.append(widget);
      if (parent) coming.set(parent, widget);
      void rare("render")(widget, parent ?? container, { params, holder }).catch((cause) => {
        widget.remove();
        throw cause;
      });
      return widget;
    },
    // Only once, and only if the script doesn't know its own address: scripts decide which code to
    // run, markup never does.
    configure: ({ endpoint }: { readonly endpoint: string }): void => {
      if (page.base) throw new Error(`stile.configure: the service is ${page.base} already`);
      page.base = withoutSlash(new URL(endpoint).href);
      define();
    },
  };
  (globalThis as { stile?: Stile }).stile = Object.freeze(stile);
  if (page.base) define();
  // An optimizer may have moved the script, or inlined it into the page, and nothing else shows why
  // nothing happens.
  else
    setTimeout(
      () => page.base || reportToOwner("", { name: "endpoint_unknown" }, "Call stile.configure."),
      CONFIGURED_WITHIN_MS,
    );
  const onload = searchParams.get("onload");
  if (onload) void rare("callOnload")(onload);
}
