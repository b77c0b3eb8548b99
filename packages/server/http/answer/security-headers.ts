/** Names and values of headers, one after the other, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** A year: what makes a browser's promise worth having (ASVS 5.0, 3.4.1). */
const HSTS = ["Strict-Transport-Security", "max-age=31536000"] as const;

/**
 * Headers of every answer, whoever writes it, prepared once: nothing is taken for another type than it says, and no address
 * of the service is told to others. Where browsers reach the service by https, they are told to stay there; for this host
 * alone, since what else lies below it is not the service's to decide.
 */
export function securityHeaders(baseUrl: string | undefined): HeaderList {
  const isHttps = baseUrl?.startsWith("https:") ?? false;
  return ["X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", ...(isHttps ? HSTS : [])];
}

/** The names and values of such a list, pair by pair. */
export function inPairs(list: HeaderList): [string, string][] {
  return list.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, list[i + 1] ?? ""]] : []));
}

/** Whether another site's page may load the answer: no, unless an answer says otherwise. */
export const OWN_PAGES_ONLY = { "Cross-Origin-Resource-Policy": "same-origin" } as const;

/** Headers of the answers that no route of the API writes, unless a page or a file says otherwise. */
export const PAGE_DEFAULTS = { ...OWN_PAGES_ONLY, "Cache-Control": "no-store" } as const;
