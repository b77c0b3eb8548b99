/** What became of the text of a domains field. */
export type CleanedDomains = {
  /** Host names in the order typed, without repeats; what can't be read stays as typed, so that the service can refuse it by name. */
  readonly domains: readonly string[];
  /** Lines that were no bare host name, with the host found in them. */
  readonly cleaned: readonly { readonly typed: string; readonly host: string }[];
};

const PLAIN_HOST = /^[a-z0-9._-]+$/i;
const PLAIN_IPV6 = /^[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:.]*$/i;

/** The host name of a pasted address; the text itself where there is none. */
function toHost(typed: string): string {
  const text = typed.replace(/^((?:[a-z][a-z0-9+.-]*:)?\/\/)?\*\./i, "$1");
  // Left to the service: a URL parser would read "1.2.3" as 1.2.0.3.
  if (PLAIN_HOST.test(text)) return text.toLowerCase().replace(/\.$/, "");
  const address = PLAIN_IPV6.test(text) ? `[${text}]` : text;
  const url = `http://${address.replace(/^([a-z][a-z0-9+.-]*:)?\/\//i, "")}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, "") || typed : typed;
}

/** Reads one domain per line (commas and blanks part them too); pasted addresses become host names (D13). */
export function cleanDomains(text: string): CleanedDomains {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== "");
  const pairs = entries.map((typed) => ({ typed, host: toHost(typed) }));
  return {
    domains: [...new Set(pairs.map(({ host }) => host))],
    cleaned: pairs.filter(({ typed, host }) => host !== typed.toLowerCase()),
  };
}

/** Whether a host is only good for testing: `localhost` or an address (D13). */
export function isTestingHost(host: string): boolean {
  return host === "localhost" || host.startsWith("[") || /^[\d.]+$/.test(host);
}
