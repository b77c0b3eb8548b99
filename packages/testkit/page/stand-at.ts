/** Receives the events that a page listens to on its window; tests dispatch events on it. */
export const pageWindow = new EventTarget();

const fetchAbsolute = globalThis.fetch;

/** The navigation of a page. */
export type Standing = {
  /** Addresses for which the page was left by a full load, in order. */
  readonly left: readonly string[];
};

/**
 * Gives this process the browser globals that pages use before anything is drawn: an address to
 * resolve relative calls against, and a window that receives events. Calls go over the real
 * network.
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
