// /recaptcha/api.js and /recaptcha/enterprise.js: window.grecaptcha of reCAPTCHA v2, v3 and Enterprise.
import { createAdapter, type Params, type Rendered, type WidgetReference } from "./adapter.ts";

const { query, find, execute, install, loaded, shared } = createAdapter({
  className: "g-recaptcha",
  fields: () => ["g-recaptcha-response"],
  tag: "textarea",
  toId: (n) => n,
  adapt: () => ({}),
});

/** A widget of v3, and the call that it is busy with. */
type OfKey = { readonly widget: Rendered; last: Promise<unknown> };

/** The widgets of v3, by their keys and by their ids. */
const ofKeys = new Map<unknown, OfKey>();

function widgetOf(sitekey: string): OfKey {
  const there = ofKeys.get(sitekey);
  if (there) return there;
  // It is only seen if the visitor has to press.
  const place = document.createElement("div");
  place.style.cssText = "position:fixed;inset:auto 9px 9px auto;z-index:9999";
  // The page may have no body yet.
  document.documentElement.append(place);
  const widget = find(shared.render(place, { sitekey, size: "invisible" })) as Rendered;
  const made: OfKey = { widget, last: loaded };
  ofKeys.set(sitekey, made).set(widget.id, made);
  return made;
}

/** A token of v3: calls for one key follow one another, since each may name another action. */
function executeKey(made: OfKey, { action }: Params): Promise<string> {
  const token = made.last.then(async () => {
    const { element } = made.widget;
    if (action) element?.setAttribute("action", `${action}`);
    return (await loaded).execute(element);
  });
  made.last = token.catch(() => {});
  return token;
}

const asked = query.get("render") ?? "onload";
const ownKey = /^(explicit|onload)$/.test(asked) ? undefined : asked;

const api: Record<string, unknown> = {
  ...shared,
  // Without a container it is a widget of v3.
  render: (container?: WidgetReference | { readonly sitekey: string }, params?: Params) => {
    const sitekey = (container as Params | null | undefined)?.sitekey as string;
    return sitekey
      ? widgetOf(sitekey).widget.id
      : shared.render(container as WidgetReference, params);
  },
  execute: (which?: WidgetReference, options: Params = {}): Promise<string | null> => {
    const key = which ?? ownKey;
    // Ids are numbers, and keys texts.
    const made = typeof key === "string" ? widgetOf(key) : ofKeys.get(key);
    if (made) return executeKey(made, options);
    const widget = find(which);
    if (!widget) throw new Error(`stile: no ${which}`);
    // The page's callbacks hear of failures, and few pages look at the promise.
    return execute(widget).catch(() => null);
  },
};
api.enterprise = api;
install("grecaptcha", api);
// The visitor is observed from now on, and not only from the first call on.
if (ownKey) shared.ready(() => widgetOf(ownKey));
const { ___grecaptcha_cfg: waiting } = globalThis as { ___grecaptcha_cfg?: { fns?: unknown[] } };
waiting?.fns?.splice(0).forEach(shared.ready);
