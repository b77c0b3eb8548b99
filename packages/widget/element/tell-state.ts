import type { WidgetState } from "../machine/widget-state.ts";

/** Fires the events of a new state; a listener may move the widget on, and then the state's own event has lost its meaning. */
export function tellState(element: Element, state: WidgetState, isPresent: () => boolean): void {
  const fire = (name: string, detail: object): void => {
    if (isPresent()) element.dispatchEvent(new CustomEvent(`stile:${name}`, { bubbles: true, composed: true, detail }));
  };
  fire("statechange", { state: state.name });
  if (state.name === "verified") fire(state.name, { token: state.token });
  if (/^(expired|interactive)$/.test(state.name)) fire(state.name, {});
  if (state.name !== "error") return;
  fire(state.name, state.error);
  if (state.error.name === "worker_failed") fire("unsupported", {});
}
