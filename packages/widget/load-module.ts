/** Fetches a module of the widget's build; undefined where the page's policy or the network refuses it. */
export function loadModule<Module>(base: string, file: string): Promise<Module | undefined> {
  // A name of its own keeps the build from wrapping the import.
  const address = `${base}/${file}`;
  return import(/* @vite-ignore */ address).catch(() => undefined);
}
