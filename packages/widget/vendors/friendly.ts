// /friendlycaptcha/site.min.js: window.frcaptcha of Friendly Captcha's SDK, version 2.
import { createAdapter, type Params, type Rendered, type WidgetReference } from "./adapter.ts";

const EXECUTION: Readonly<Record<string, string>> = { auto: "render", none: "execute" };

const { query, all, find, execute, install, renderAll, shared } = createAdapter({
  className: "frc-captcha",
  fields: () => ["frc-captcha-response"],
  tag: "input",
  toId: (n) => `stile-${n}`,
  adapt: (params) => ({
    execution: EXECUTION[`${params.startMode ?? params.start}`] ?? "focus",
    language: params.language ?? params.lang ?? query.get("hl"),
    "response-field-name": params.formFieldName,
  }),
});

/** The events of the SDK, by ours, which bubble up to the place. */
const EVENTS = { verified: "complete", expired: "expire", error: "error" };

function handleOf({ id, place }: Rendered) {
  return {
    id,
    getElement: () => place,
    getResponse: () => shared.getResponse(id),
    getState: () => (shared.getResponse(id) ? "completed" : "ready"),
    start: () => {
      const widget = find(id);
      if (widget) execute(widget).catch(() => {});
    },
    reset: () => shared.reset(id),
    destroy: () => shared.remove(id),
    addEventListener: place.addEventListener.bind(place),
    removeEventListener: place.removeEventListener.bind(place),
  };
}

const handles = () => all.map(handleOf);

install("frcaptcha", {
  createWidget: ({ element, ...params }: Params) => {
    const widget = find(shared.render(element as WidgetReference, params)) as Rendered;
    const { id, place } = widget;
    for (const [ours, theirs] of Object.entries(EVENTS))
      place.addEventListener(`stile:${ours}`, (event) => {
        const detail = {
          ...(event as CustomEvent<Params>).detail,
          id,
          response: shared.getResponse(id),
        };
        place.dispatchEvent(new CustomEvent(`frc:widget.${theirs}`, { detail }));
      });
    return handleOf(widget);
  },
  attach: () => {
    renderAll();
    return handles();
  },
  getAllWidgets: handles,
});
