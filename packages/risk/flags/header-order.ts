import { requestUserAgent, type WireEvidence } from "../evidence.ts";
import type { FlagRow } from "../flag-row.ts";
import { parseUserAgent } from "../user-agent.ts";

/**
 * The order in which the engines send the headers of every `fetch`, over HTTP/1.1 and 2 alike;
 * measured with Chromium 156 and Firefox 140. Safari's order was not measured, so it is not scored.
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

/** Proxies written in Go sort the headers that they forward, except these. */
const UNSORTED = ["user-agent", "accept-encoding"];

const isSorted = (names: readonly string[]): boolean =>
  names.every((name, at) => at === 0 || (names[at - 1] ?? "") < name);

/**
 * Whether the names are in another order than they should be; unknown and missing names are
 * ignored.
 */
function isOutOfOrder(names: readonly string[], order: readonly string[]): boolean {
  const places = names.map((name) => order.indexOf(name)).filter((place) => place >= 0);
  return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
}

/** Whether the names are in lower case, which no browser sends over HTTP/1.1 for any of these. */
const isLowerCase = (names: readonly string[]): boolean =>
  names.includes("user-agent") && names.includes("accept") && !names.includes("User-Agent");

function isOrderForeign(
  { headerNames, isForwarded }: WireEvidence,
  engine: keyof typeof ORDERS,
): boolean {
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
  // A proxy decides on its own which encodings it accepts.
  return isOutOfOrder(
    names.filter((name) => name !== "accept-encoding"),
    order,
  );
}

/**
 * JA4: transport, TLS version, host name or none, numbers of ciphers and extensions, and the
 * protocol after TLS.
 */
const JA4 = /^[tqd](\d\d|s\d|d\d)[di]\d{4}([0-9a-z]{2})_/;

/**
 * Whether a client offers an older TLS than browsers do, or no HTTP/2. A fingerprint of another
 * format is ignored.
 */
function isTlsForeign(fingerprint: string | undefined): boolean {
  const [, version, next] = JA4.exec(fingerprint ?? "") ?? [];
  return version !== undefined && (version !== "13" || (next !== "h2" && next !== "h3"));
}

/**
 * The widget's call does not arrive as the claimed Chromium or Firefox sends it: its headers are in
 * another order or, without a proxy, in lower case. Or a trusted proxy reports a TLS fingerprint
 * (JA4) that no browser has. HTTP libraries do that; so do virus scanners and company proxies.
 * Behind a proxy that sorts headers (Caddy, Traefik), their order is not scored.
 */
export const headerOrder = {
  name: "header_order",
  group: "environment",
  label: "The request is built differently from those of the claimed browser.",
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
