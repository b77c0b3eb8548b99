import { withinPatience } from "./within-patience.ts";

/**
 * The address to load each file from next: another one after each failure. Some browsers remember
 * per address that there was no module, and a request that hangs stays hanging.
 */
const addresses: Record<string, string> = {};

/**
 * Loads a module of the widget's build; undefined if the page's policy or the network refuses it,
 * or it takes too long.
 */
export function loadModule<Module>(base: string, file: string): Promise<Module | undefined> {
  addresses[file] ??= `${base}/${file}`;
  return withinPatience<Module>(import(/* @vite-ignore */ addresses[file])).then((found) => {
    if (!found) addresses[file] += "?";
    return found;
  });
}
