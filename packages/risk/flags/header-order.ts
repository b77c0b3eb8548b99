import { requestUserAgent, type WireEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { parseUserAgent } from "../user-agent.ts";

/**
 * The order in which the engines send what every call of `fetch` carries, over HTTP/1.1 and 2 alike; measured with Chromium 156
 * and Firefox 140. Safari's was not, so it is not judged.
 */
const ORDERS = {
  chromium: [
    "user-agent",
    "accept",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-dest",
    "accept-encoding",
    "accept-language",
  ],
  firefox: [
    "user-agent",
    "accept",
    "accept-language",
    "accept-encoding",
    "sec-fetch-dest",
    "sec-fetch-mode",
    "sec-fetch-site",
  ],
} as const;

/** Proxies that are written in Go sort what they hand on, but for these. */
const UNSORTED = ["user-agent", "accept-encoding"];

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || (names[at - 1] ?? "") < name);

/** Whether the names stand in another order than they should; one that comes twice, or is not there, says nothing. */
function isOutOfOrder(names: readonly string[], order: readonly string[]): boolean {
  const places = names.map((name) => order.indexOf(name)).filter((place) => place >= 0);
  return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
}

/** Whether the names are written in small letters, which over HTTP/1.1 no browser does with any of these. */
const isLowerCase = (names: readonly string[]): boolean =>
  names.includes("user-agent") && names.includes("accept") && !names.includes("User-Agent");

function isOrderForeign({ headerNames, isForwarded }: WireEvidence, engine: keyof typeof ORDERS): boolean {
  const order: readonly string[] = ORDERS[engine];
  if (!isForwarded)
    return (
      isLowerCase(headerNames) ||
      isOutOfOrder(
        headerNames.map((name) => name.toLowerCase()),
        order,
      )
    );
  const names = headerNames.map((name) => name.toLowerCase());
  const kept = names.filter((name) => order.includes(name) && !UNSORTED.includes(name));
  if (isSorted(kept)) return false;
  // Which encodings are taken is the proxy's own say.
  return isOutOfOrder(
    names.filter((name) => name !== "accept-encoding"),
    order,
  );
}

/** JA4: transport, version of TLS, host name or none, numbers of ciphers and extensions, and what follows TLS. */
const JA4 = /^[tqd](\d\d|s\d|d\d)[di]\d{4}([0-9a-z]{2})_/;

/** Whether a client offers an older TLS than browsers do, or no HTTP/2 after it; a fingerprint of another form says nothing. */
function isTlsForeign(fingerprint: string | undefined): boolean {
  const [, version, next] = JA4.exec(fingerprint ?? "") ?? [];
  return version !== undefined && (version !== "13" || (next !== "h2" && next !== "h3"));
}

/**
 * The widget's call came over the wire otherwise than the claimed Chromium or Firefox sends it: its headers in another order or,
 * without a proxy, in small letters; or, where a trusted proxy tells the TLS fingerprint (JA4), with a handshake that no browser
 * makes. HTTP libraries under a borrowed user agent do that, and so do virus scanners and company proxies that take connections apart
 * and say nothing of it: small weight, never a click by itself. A proxy that sorts headers (Caddy, Traefik) hides their order, and nothing is said.
 */
export const headerOrder = {
  name: "header_order",
  group: "environment",
  label: "The request is not built as the claimed browser builds it.",
  weight: 0.8,
  detect: (evidence) => {
    const { wire, solve } = evidence;
    const userAgent = requestUserAgent(evidence);
    if (wire === undefined || solve === undefined || userAgent === undefined) return false;
    const { engine } = parseUserAgent(userAgent);
    if (engine !== "chromium" && engine !== "firefox") return false;
    return isOrderForeign(wire, engine) || isTlsForeign(wire.tlsFingerprint);
  },
} satisfies FlagRow;
