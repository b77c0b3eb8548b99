// /turnstile/v0/api.js: window.turnstile, with ?compat=recaptcha also window.grecaptcha.
import { createAdapter, type WidgetReference } from "./adapter.ts";

const { query, find, execute, install, renderAll, shared } = createAdapter({
  className: "cf-turnstile",
  fields: (params) =>
    `${params["response-field"] ?? params.responseField}` === "false"
      ? []
      : ["cf-turnstile-response"],
  tag: "input",
  toId: (n) => `stile-${n}`,
  adapt: (params) => ({
    // Some libraries send an empty one for none.
    action: params.action || undefined,
    cdata: params.cData ?? params.cdata,
    // Turnstile works as soon as it is rendered.
    execution: params.execution ?? "render",
  }),
});

const api = {
  ...shared,
  implicitRender: renderAll,
  execute: (which?: WidgetReference): void => {
    const widget = find(which);
    // The page's callbacks hear of failures.
    if (widget) execute(widget).catch(() => {});
  },
};
install("turnstile", api);
if (query.get("compat") === "recaptcha") Object.assign(globalThis, { grecaptcha: api });
