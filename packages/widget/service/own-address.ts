/**
 * The address from which `stile.js` itself was loaded, without a trailing slash: code is loaded
 * from there and nowhere else. Undefined if the script can't be sure of it: as a module, in a
 * bundle, or in a page whose elements hide it.
 */
export function ownAddress(script: HTMLScriptElement): string | undefined {
  // A <base> may have been added to the page after the script was fetched, and would change a
  // relative address.
  const isPlain =
    /^https?:/i.test(script.getAttribute("src") ?? "") || document.querySelector("base") === null;
  return isPlain ? /^(https?:[^?#]*)\/stile\.js(?![^?#])/.exec(script.src)?.[1] : undefined;
}

/** An address the way the widget writes it: without a trailing slash. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, "");
