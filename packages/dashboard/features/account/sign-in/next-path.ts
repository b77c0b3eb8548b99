const HOME = "/dashboard/sites";

/**
 * Where to go after signing in: the `next` of the address if it is a page of the dashboard, else
 * the list of sites. It is parsed as a browser would parse it, so that no spelling of a foreign
 * address gets through (CWE-601).
 */
export function toNextPath(search: string, origin: string): string {
  const next = new URLSearchParams(search).get("next") ?? "";
  if (!next.startsWith("/dashboard/") || !URL.canParse(next, origin)) return HOME;
  const url = new URL(next, origin);
  const isPage =
    url.origin === origin && /^\/dashboard\/(?!api\/|sign-in|link)[a-z]/.test(url.pathname);
  return isPage ? url.pathname + url.search + url.hash : HOME;
}
