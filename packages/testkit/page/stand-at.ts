/** Receives what a page listens to on its window; tests dispatch events on it. */
export const pageWindow = new EventTarget();

const fetchAbsolute = globalThis.fetch;

/** What became of a page at an address. */
export type Standing = {
  /** Addresses that the page was left for by a full load, in order. */
  readonly left: readonly string[];
};

/**
 * Gives this process what pages use of a browser before anything is drawn: an address to resolve
 * relative calls against, and a window that receives events. Calls go over the real network.
 */
export function standAt(address: string): Standing {
  const url = new URL(address);
  const left: string[] = [];
  const { pathname, search, hash, origin, href } = url;
  const location = {
    pathname,
    search,
    hash,
    origin,
    href,
    assign: (to: string) => void left.push(to),
  };
  Object.assign(globalThis, {
    location,
    addEventListener: pageWindow.addEventListener.bind(pageWindow),
    removeEventListener: pageWindow.removeEventListener.bind(pageWindow),
    fetch: (path: string, init?: RequestInit) => fetchAbsolute(new URL(path, origin), init),
  });
  return { left };
}
