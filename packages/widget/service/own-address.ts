/**
 * The address below which `stile.js` itself was found, without a slash at its end: code is loaded from there and nowhere else.
 * Undefined where the script can't be sure of it: as a module, in a bundle, or in a page whose elements hide it.
 */
export function ownAddress(script: HTMLScriptElement): string | undefined {
  // A <base> may have come into the page after the script was fetched, and would move a relative address.
  const isPlain = /^https?:/i.test(script.getAttribute("src") ?? "") || document.querySelector("base") === null;
  return isPlain ? /^(https?:[^?#]*)\/stile\.js(?![^?#])/.exec(script.src)?.[1] : undefined;
}

/** An address as the widget writes it: without a slash at its end. */
export const withoutSlash = (address: string): string => address.replace(/\/+$/, "");
