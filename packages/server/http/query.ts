/** What of a query is looked at, in parameters and in characters; no endpoint takes half as many. */
const MAX_PARAMETERS = 32;
const MAX_LENGTH = 2048;

/**
 * The values of an address's query by name; undefined if a name comes twice, since readers disagree on which of them
 * counts, or if there is more than any endpoint takes.
 */
export function readQuery(url: string): Readonly<Record<string, string>> | undefined {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const text = url.slice(start + 1);
  if (text.length > MAX_LENGTH) return undefined;
  if (text.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return undefined;
  const query = new URLSearchParams(text);
  const isUnique = new Set(query.keys()).size === query.size;
  return isUnique ? Object.fromEntries(query) : undefined;
}
