/** For each file that failed to load, what is appended to its address at the next attempt. */
const again: Record<string, string> = {};

/** Loads a module of the widget's build; undefined if the page's policy or the network refuses it. */
export function loadModule<Module>(base: string, file: string): Promise<Module | undefined> {
  again[file] ??= "";
  // Some browsers remember by the address that a module failed to load. The variable keeps the build from wrapping the
  // import.
  const address = `${base}/${file}${again[file]}`;
  return import(/* @vite-ignore */ address).catch(() => {
    again[file] += "?";
  });
}
