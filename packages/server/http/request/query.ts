/** The most parameters and characters of a query; no endpoint needs half as many. */
const MAX_PARAMETERS = 32;
const MAX_LENGTH = 2048;

/**
 * Names and values of a query. Nearly all have no escapes, and splitting those here takes a third
 * of the time.
 */
function pairsOf(text: string): (readonly [name: string, value: string])[] {
  if (/^\?|[%+]/.test(text)) return [...new URLSearchParams(text)];
  const pairs: (readonly [string, string])[] = [];
  for (const part of text.split("&")) {
    const equals = part.indexOf("=");
    if (equals >= 0) pairs.push([part.slice(0, equals), part.slice(equals + 1)]);
    else if (part !== "") pairs.push([part, ""]);
  }
  return pairs;
}

/**
 * The values of a query or form by name. Undefined if a name comes twice, since readers disagree on
 * which value counts. Undefined too if there are more parameters than any endpoint needs.
 */
export function readPairs(text: string): Readonly<Record<string, string>> | undefined {
  if (text.split("&", MAX_PARAMETERS + 1).length > MAX_PARAMETERS) return undefined;
  const pairs = pairsOf(text);
  const query = new Map(pairs);
  return query.size === pairs.length ? Object.fromEntries(query) : undefined;
}

/** The same of a URL's query. Undefined too if the query is longer than any endpoint needs. */
export function readQuery(url: string): Readonly<Record<string, string>> | undefined {
  const start = url.indexOf("?");
  if (start < 0) return {};
  const text = url.slice(start + 1);
  return text.length > MAX_LENGTH ? undefined : readPairs(text);
}
