import type { WidgetError } from "../machine/widget-error.ts";
import type { WidgetState } from "../machine/widget-state.ts";

/** Fires the events of a new state; a listener may move the widget on, and then the state's own event has lost its meaning. */
export function tellState(element: Element, state: WidgetState, isPresent: () => boolean): void {
  const fire = (name: string, detail: object): void => {
    if (isPresent()) element.dispatchEvent(new CustomEvent(`stile:${name}`, { bubbles: true, composed: true, detail }));
  };
  const { name } = state;
  fire("statechange", { state: name });
  if (name === "verified") fire(name, { token: state.token });
  if (/^(expired|interactive)$/.test(name)) fire(name, {});
  if (name !== "error") return;
  const { name: reason, detail, requestId } = state.error;
  fire(name, { name: reason, detail, requestId } satisfies WidgetError);
  if (reason === "worker_failed") fire("unsupported", {});
}
