import { hydrate as hydrateComponent, unmount } from "svelte";
import { render as renderComponent } from "svelte/server";
import App from "./App.svelte";

export const render = (options) => renderComponent(App, { props: { options } }).body;

export function hydrate(target, options) {
  const app = hydrateComponent(App, { target, props: { options } });
  return () => unmount(app);
}
