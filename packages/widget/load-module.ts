/** What follows the name of a file that could not be had. */
const again: Record<string, string> = {};

/** Fetches a module of the widget's build; undefined where the page's policy or the network refuses it. */
export function loadModule<Module>(base: string, file: string): Promise<Module | undefined> {
  again[file] ??= "";
  // Some browsers remember that a module could not be fetched, under its whole address. A name of its own keeps the build from wrapping the import.
  const address = `${base}/${file}${again[file]}`;
  return import(/* @vite-ignore */ address).catch(() => {
    again[file] += "?";
  });
}
