/** Header names and values, alternating, as `writeHead` takes them. */
export type HeaderList = readonly string[];

/** One year, the least that ASVS 5.0 (3.4.1) accepts. */
const HSTS = ["Strict-Transport-Security", "max-age=31536000"] as const;

/**
 * The headers of every answer, prepared once. Browsers accept an answer only as the type it names,
 * and send no address of the service to other sites. If browsers reach the service by https, they
 * must stay with it. This holds for this host alone, because its subdomains may belong to others.
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
