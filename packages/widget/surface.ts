// Functions for pages whose scripts send forms: loaded when called, with their own copy of code
// shared with stile.js.

import { collect } from "./collect.ts";
import { listen, ownFunction } from "./element/call-back.ts";
import { findWidget } from "./element/find-widget.ts";
import { fieldNameOf } from "./element/form-field.ts";
import type { PageServices } from "./element/page-services.ts";
import { render, renderByClass } from "./element/render.ts";
import type { StileCaptcha } from "./element/stile-captcha.ts";
import { withStrings } from "./languages/own-strings.ts";
import type { WidgetStateName } from "./machine/widget-state.ts";
import type { Which } from "./stile.ts";

function widgetOf(name: string, which: Which | undefined): StileCaptcha {
  const widget = findWidget(which);
  if (!widget) throw new Error(`stile.${name}: the page has no <stile-captcha>`);
  return widget;
}

/** States that last until the visitor, the page or a timer acts. */
const AT_REST: ReadonlySet<WidgetStateName> = new Set<WidgetStateName>([
  "idle",
  "verified",
  "expired",
  "error",
]);

/** Nobody can press a widget in a disabled fieldset. */
const isStuck = (widget: StileCaptcha): boolean =>
  widget.state === "interactive" && widget.matches(":disabled");

/**
 * Resolves with the state as soon as the widget no longer works, or waits for a press that nobody
 * can make.
 */
function settled(widget: StileCaptcha): Promise<string> {
  return new Promise((resolve) => {
    const onChange = (): void => {
      if (!AT_REST.has(widget.state) && !isStuck(widget)) return;
      widget.removeEventListener("stile:statechange", onChange);
      fieldsets.disconnect();
      resolve(widget.state);
    };
    // The page may disable a fieldset while the widget already asks for the press.
    const fieldsets = new MutationObserver(onChange);
    fieldsets.observe(widget.getRootNode(), { subtree: true, attributeFilter: ["disabled"] });
    widget.addEventListener("stile:statechange", onChange);
    onChange();
  });
}

/**
 * A token that no caller got before, earned now if there is none; by default of the page's first
 * widget. If the visitor has to press, the widget gets the focus and this waits. Rejects with an
 * Error whose message ends in the name of a `WidgetError`. The name is `cancelled` if the widget
 * was reset or removed meanwhile. It is `disabled` if the visitor has to press but the widget is
 * inside a disabled fieldset.
 */
async function execute(_page: PageServices, which?: Which): Promise<string> {
  const widget = widgetOf("execute", which);
  let failure = "";
  const onError = (event: Event): void => {
    failure = (event as CustomEvent<{ name: string }>).detail.name;
  };
  widget.addEventListener("stile:error", onError);
  try {
    // In a submit handler the token exists already: it was earned for the request that the handler
    // is about to send.
    for (
      let token = widget.take("script");
      ;
      token = widget.take("form") && widget.take("script")
    ) {
      if (token) return token;
      const state = await settled(widget);
      if (state === "interactive") throw new Error("stile.execute: disabled");
      if (state !== "verified")
        throw new Error(`stile.execute: ${state === "error" ? failure : "cancelled"}`);
    }
  } finally {
    widget.removeEventListener("stile:error", onError);
  }
}

/**
 * Like the global `fetch`, with a token that no caller got before: in the widget's field if the
 * body is a form (`FormData`, `URLSearchParams`), else in the header `Stile-Response`. A failed
 * request is not sent again: only the caller knows what their server has done.
 */
async function fetchWithToken(
  page: PageServices,
  input: RequestInfo | URL,
  init?: RequestInit | null,
  which?: Which,
): Promise<Response> {
  const widget = widgetOf("fetch", which);
  const token = await execute(page, widget);
  const body = init?.body;
  if (body instanceof FormData || body instanceof URLSearchParams) {
    body.set(fieldNameOf(widget), token);
    return fetch(input, init ?? {});
  }
  const headers = new Headers(
    init?.headers ?? (input instanceof Request ? input.headers : undefined),
  );
  headers.set("Stile-Response", token);
  return fetch(input, { ...init, headers });
}

/**
 * Resolves once the document is parsed, so that all its widgets can be found; calls `then`, if
 * given.
 */
async function ready(_page: PageServices, then?: () => unknown): Promise<void> {
  if (document.readyState === "loading") {
    await new Promise((resolve) =>
      document.addEventListener("DOMContentLoaded", resolve, { once: true }),
    );
  }
  then?.();
}

/** Calls the page's function of that name (`?onload`). */
const callOnload = (page: PageServices, name: string): Promise<void> =>
  ready(page, () => ownFunction(page.base, name)?.());

/**
 * The functions of `window.stile` that few pages call. The first argument of each is the values
 * that the page's widgets share.
 */
export const surface = {
  collect,
  execute,
  fetch: fetchWithToken,
  withStrings,
  listen,
  render,
  renderByClass,
  ready,
  callOnload,
};
