import type { WidgetState } from "../machine/widget-state.ts";

/**
 * Fires the events of a new state. A listener may cause another step, which makes the state's own
 * event pointless.
 */
export function tellState(element: Element, state: WidgetState, isPresent: () => boolean): void {
  const fire = (name: string, detail: object): void => {
    if (isPresent())
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
