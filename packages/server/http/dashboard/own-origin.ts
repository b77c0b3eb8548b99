import type { IncomingHttpHeaders } from "node:http";
import type { RelyingParty } from "@stile/core/ports/account/credentials";
import { TEXT_LIMITS } from "@stile/protocol/limits";

/**
 * The longest origin of a host. Parsing 7,000 characters that are not ASCII as an origin would cost
 * a millisecond.
 */
const LONGEST_ORIGIN = TEXT_LIMITS.hostname + "https://:65535".length;

/**
 * Names and addresses of this machine. Browsers treat its pages as secure (W3C Secure Contexts,
 * 3.1).
 */
const LOOPBACK_HOST =
  /^(localhost|([a-z0-9-]+\.)+localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Whether the host name of a parsed URL means this machine. */
export function isLoopbackHost(hostName: string): boolean {
  return LOOPBACK_HOST.test(hostName);
}

/**
 * Whether `origin`, in the form that browsers write, has the same host and port as the Host header.
 */
function isHostOf(origin: URL, host: string | undefined): boolean {
  const own = `${origin.protocol}//${host ?? ""}`;
  return URL.canParse(own) && new URL(own).host === origin.host;
}

/**
 * The Origin of a request if it is the dashboard's own. Undefined if it is missing, `null`, foreign
 * or not in the form that browsers write. The own origin is that of STILE_BASE_URL. Without that
 * setting, it is the host that the browser has asked. Even with the setting, an operator on the
 * machine may use a loopback name.
 */
export function findOwnOrigin(
  headers: IncomingHttpHeaders,
  baseUrl: string | undefined,
): URL | undefined {
  const { origin: text = "", host } = headers;
  const origin = text.length <= LONGEST_ORIGIN && URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = origin?.protocol === "https:" || origin?.protocol === "http:";
  if (origin === undefined || !isWeb || origin.origin !== text) return undefined;
  if (baseUrl === undefined) return isHostOf(origin, host) ? origin : undefined;
  if (origin.origin === new URL(baseUrl).origin) return origin;
  return isLoopbackHost(origin.hostname) && isHostOf(origin, host) ? origin : undefined;
}

/**
 * Whether a write comes from the dashboard's own page. Origin must name that page, and
 * Sec-Fetch-Site too if it is sent.
 */
export function isOwnWrite(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  return (
    (site === undefined || site === "same-origin") && findOwnOrigin(headers, baseUrl) !== undefined
  );
}

/**
 * Whether a read comes from the dashboard's own page or was typed by a person. Programs send
 * neither Origin nor Sec-Fetch-Site, so they pass too.
 */
export function isOwnRead(headers: IncomingHttpHeaders, baseUrl: string | undefined): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  return headers.origin === undefined || findOwnOrigin(headers, baseUrl) !== undefined;
}

/**
 * Whether the cookies of this origin can't be `Secure`: over http on the machine itself, WebKit
 * drops such cookies.
 */
export function hasPlainCookies(origin: URL): boolean {
  return origin.protocol === "http:" && isLoopbackHost(origin.hostname);
}

/**
 * Whether a request may come from such an origin. A write names its origin, and a read by a page of
 * the dashboard does so in its Referer. Any other read only names the host it asks, and behind some
 * proxies that is always this machine.
 */
export function mayHavePlainCookies(
  { host = "", referer }: IncomingHttpHeaders,
  origin: URL | undefined,
): boolean {
  if (origin !== undefined) return hasPlainCookies(origin);
  const source = (referer ?? `http://${host}`).slice(0, LONGEST_ORIGIN);
  return URL.canParse(source) && hasPlainCookies(new URL(source));
}

/** Whether a browser keeps a session at this origin: over https, or on the machine itself. */
export function isSecureOrigin(origin: URL): boolean {
  return origin.protocol === "https:" || isLoopbackHost(origin.hostname);
}

/** The relying party that passkeys are bound to at this origin. */
export function partyOf(origin: URL): RelyingParty {
  return { origin: origin.origin, rpId: origin.hostname };
}
