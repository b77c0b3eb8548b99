import type { RenderParameters } from "../stile.ts";
import type { Callback, CallingElement } from "./call-back.ts";
import type { PageServices } from "./page-services.ts";
import type { StileCaptcha } from "./stile-captcha.ts";

type Container = Element | string;

/**
 * The parameters of `render`. Nothing else becomes an attribute: markup by strangers with a class
 * and `data-*` counts as harmless, and could otherwise give itself a handler, a style or a name.
 */
export const PARAMETERS: readonly string[] = (
  "action appearance callback cdata dir endpoint execution language on-unavailable refresh-expired response-field " +
  "response-field-name retry sitekey size strings tabindex theme error-callback expired-callback timeout-callback " +
  "before-interactive-callback after-interactive-callback unsupported-callback"
).split(" ");

/** How to render a widget. */
export type RenderOptions = {
  readonly params?: RenderParameters | null | undefined;
  /** The fragment that holds the widget until it is rendered; by default there is none. */
  readonly holder?: DocumentFragment;
};

/**
 * Puts the widget into that element, with the element's `data-*` and with `params`, whose functions
 * become callbacks. Rejects if there is no such element. Does nothing if the page has taken the
 * widget out of its `holder` in the meantime.
 */
export async function render(
  page: PageServices,
  widget: StileCaptcha & CallingElement,
  container: Container,
  { params, holder }: RenderOptions = {},
): Promise<void> {
  if (widget.parentNode !== (holder ?? null)) return;
  const parent =
    typeof container === "string"
      ? (document.getElementById(container) ?? document.querySelector(container))
      : container;
  if (!parent) throw new Error(`stile.render: there is no ${container}`);
  page.removed?.delete(parent);
  const functions = new Map<string, Callback>();
  widget.given = functions;
  const set = (name: string, value: unknown): void => {
    if (!PARAMETERS.includes(name) || value === undefined || value === null) return;
    const isFunction = typeof value === "function";
    if (isFunction) functions.set(name, value as Callback);
    // The attribute only shows that there is a callback, and does not expose the function's source.
    widget.setAttribute(
      name,
      isFunction ? "" : typeof value === "object" ? JSON.stringify(value) : `${value}`,
    );
  };
  for (const { name, value } of parent.attributes)
    if (/^data-/.test(name)) set(name.slice(5), value);
  for (const [name, value] of Object.entries(params ?? {})) set(name, value);
  // A copy of the page (Turbo's cache, a library's clone) has a copy of the widget, without its
  // functions.
  const last = parent.lastElementChild;
  if (last?.cloneNode().isEqualNode(widget)) last.remove();
  parent.append(widget);
}

/**
 * Renders every element of the class `stile-captcha` that has no widget in it. This includes
 * elements added later, and those that lost their widget because the page replaced their content. A
 * widget that the page removed with `stile.remove` stays removed.
 */
export async function renderByClass(page: PageServices): Promise<void> {
  /**
   * Elements rendered in this task. If the page removes each widget at once, rendering again now
   * would never end.
   */
  const rendered = new Set<Element>();
  const renderAll = (): void => {
    for (const one of document.querySelectorAll(".stile-captcha:not(stile-captcha)")) {
      if (page.removed?.has(one) || rendered.has(one) || one.querySelector("stile-captcha"))
        continue;
      rendered.add(one);
      setTimeout(() => {
        rendered.delete(one);
        renderAll();
      });
      void render(page, document.createElement("stile-captcha") as StileCaptcha, one);
    }
  };
  renderAll();
  new MutationObserver(renderAll).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ["class"],
  });
}
