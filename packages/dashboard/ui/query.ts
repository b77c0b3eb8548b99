/** Values of a query string; undefined and empty ones are left out. */
export type UrlQuery = Readonly<Record<string, string | number | undefined>>;

/** "?a=1&b=2", or "" if nothing is left. */
export function toSearch(query: UrlQuery = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}
