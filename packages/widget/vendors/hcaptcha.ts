// /1/api.js: window.hcaptcha.
import { createAdapter, type Params, type WidgetReference } from "./adapter.ts";

const { query, find, execute, install, shared } = createAdapter({
  className: "h-captcha",
  fields: () => ["h-captcha-response", "g-recaptcha-response"],
  tag: "textarea",
  toId: (n) => `stile-${n}`,
  adapt: (params) => ({
    language: params.hl ?? query.get("hl"),
    "before-interactive-callback": params["open-callback"] ?? params.openCallback,
    "after-interactive-callback": params["close-callback"] ?? params.closeCallback,
  }),
});
const nothing = (): void => {};

install("hcaptcha", {
  ...shared,
  execute: (which?: WidgetReference, options: Params = {}): Promise<Params> | undefined => {
    const widget = find(which);
    if (!widget) throw new Error("stile: no widget");
    const token = execute(widget);
    if (options.async) return token.then((response) => ({ response, key: "" }));
    // The page's callbacks hear of failures.
    token.catch(nothing);
    return undefined;
  },
  getRespKey: () => "",
  setData: nothing,
  close: nothing,
});
