/** Header names and values in turn, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** One year, the least that ASVS 5.0 (3.4.1) accepts. */
const HSTS = ["Strict-Transport-Security", "max-age=31536000"] as const;

/**
 * The headers of every answer, whoever writes it, prepared once: browsers take no answer for
 * another type than it says, and tell no other site an address of the service. If browsers reach
 * the service by https, they are told to stay with it; for this host alone, since its subdomains
 * are not the service's to decide about.
 */
export function securityHeaders(baseUrl: string | undefined): HeaderList {
  const isHttps = baseUrl?.startsWith("https:") ?? false;
  return [
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    ...(isHttps ? HSTS : []),
  ];
}

/** The list as pairs of name and value. */
export function inPairs(list: HeaderList): [string, string][] {
  return list.flatMap((name, i): [string, string][] =>
    i % 2 === 0 ? [[name, list[i + 1] ?? ""]] : [],
  );
}

/** Lets only the service's own pages load the answer, unless an answer overrides it. */
export const OWN_PAGES_ONLY = { "Cross-Origin-Resource-Policy": "same-origin" } as const;

/** Headers of answers without a JSON body, unless a page or a file overrides them. */
export const PAGE_DEFAULTS = { ...OWN_PAGES_ONLY, "Cache-Control": "no-store" } as const;
