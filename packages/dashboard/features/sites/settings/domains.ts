/** The result of reading the text of a domains field. */
export type CleanedDomains = {
  /**
   * Host names in the order typed, without repeats; unreadable entries stay, so that the service
   * refuses them by name.
   */
  readonly domains: readonly string[];
  /** Entries other than one plain host name on a line, each with the host that was read from it. */
  readonly cleaned: readonly { readonly typed: string; readonly host: string }[];
};

const PLAIN_HOST = /^[a-z0-9._-]+$/i;
const PLAIN_IPV6 = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i;

/** The host name of a pasted address; the text itself if there is none. */
function toHost(typed: string): string {
  const text = typed.replace(/^((?:[a-z][a-z0-9+.-]*:)?\/\/)?\*\./i, "$1");
  // The service validates it: a URL parser would turn "1.2.3" into 1.2.0.3.
  if (PLAIN_HOST.test(text)) return text.toLowerCase().replace(/\.$/, "");
  const address = PLAIN_IPV6.test(text) ? `[${text}]` : text;
  const url = `http://${address.replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "")}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") || typed : typed;
}

/**
 * Reads one domain per line (commas and blanks separate them too); pasted addresses become host
 * names (D13, formats).
 */
export function cleanDomains(text: string): CleanedDomains {
  const lines = text
    .split(/[\r\n]+/)
    .map((line) => line.split(/[\s,;]+/).filter((entry) => entry !== ""));
  const pairs = lines.flat().map((typed) => ({ typed, host: toHost(typed) }));
  const sharing = new Set(lines.filter(({ length }) => length > 1).flat());
  return {
    domains: [...new Set(pairs.map(({ host }) => host))],
    cleaned: pairs.filter(({ typed, host }) => host !== typed.toLowerCase() || sharing.has(typed)),
  };
}
