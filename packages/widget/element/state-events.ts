import type { WidgetState } from "../machine/widget-state.ts";

/**
 * Fires the events of a new state for as long as it is the current one: a listener may cause
 * another step, and then the remaining events are out of date.
 */
export function fireStateEvents(
  element: Element,
  state: WidgetState,
  isCurrent: () => boolean,
): void {
  const fire = (name: string, detail: object): void => {
    if (isCurrent())
      element.dispatchEvent(
        new CustomEvent(`stile:${name}`, { bubbles: true, composed: true, detail }),
      );
  };
  const { name } = state;
  fire("statechange", { state: name });
  if (name === "verified") fire(name, { token: state.token });
  if (name === "expired" || name === "interactive") fire(name, {});
  if (name !== "error") return;
  fire(name, state.error);
  if (state.error.name === "worker_failed") fire("unsupported", {});
}
