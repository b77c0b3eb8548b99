/** Fetches a module of the widget's build; undefined where the page's policy or the network refuses it. */
export async function loadModule<Module>(base: string, file: string): Promise<Module | undefined> {
  const address = `${base}/${file}`;
  try {
    return await import(/* @vite-ignore */ address);
  } catch {
    return undefined;
  }
}
