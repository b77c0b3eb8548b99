import type { IncomingMessage } from "node:http";
import { parseHostName } from "@stile/core/domain/site/host-name";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { readBytes } from "../../http/request/body.ts";
import { readPairs } from "../../http/request/query.ts";
import type { VisitorReader } from "../../http/visitor/visitor.ts";

/** The protected host that a visitor is at, and whether their connection to it is secure. */
export type ProtectedPlace = { readonly host: string; readonly isSecure: boolean };

/** The cookie over a secure connection, which no other host can plant, and over plain http. */
const COOKIES = { secure: "__Host-stile-gate", plain: "stile-gate" } as const;

/** The host that the visitor asked for. Only a trusted proxy may name another than its own. */
export function placeOf(
  { headers, socket }: IncomingMessage,
  visitors: VisitorReader,
): ProtectedPlace | undefined {
  const isFromProxy = visitors.isFromProxy(socket);
  const named = (isFromProxy && headers["x-forwarded-host"]) || headers.host;
  const host = parseHostName(String(named ?? "").replace(/:\d{1,5}$/, ""));
  const isSecure = isFromProxy && headers["x-forwarded-proto"] === "https";
  return host === undefined ? undefined : { host, isSecure };
}

/**
 * A path of the protected host to return to, `/` if the text is none: browsers read `//`, `/\` and
 * some that only become so (`/.//`) as another host.
 */
export function returnPath(text: string): string {
  if (!/^\/[!-~]{0,2000}$/.test(text)) return "/";
  const nowhere = "http://gate.invalid";
  const url = URL.canParse(text, nowhere) ? new URL(text, nowhere) : undefined;
  const path = url?.origin === nowhere ? url.pathname + url.search : "/";
  return /^\/\/|^\/gate([/?]|$)/.test(path) ? "/" : path;
}

/** The path in the page's own query, unchanged: proxies append it without escaping. */
export function pathInQuery(url: string): string {
  return returnPath(/\?to=(.*)$/s.exec(url)?.[1] ?? "/");
}

/** The path that the visitor asked the proxy for. */
export function askedPath({ headers }: IncomingMessage): string {
  return returnPath(String(headers["x-forwarded-uri"] ?? "/"));
}

/** The passes of a Cookie header; a visitor may have one from before their connection was secure. */
export function passesOf({ headers }: IncomingMessage): readonly string[] {
  const found = (headers.cookie ?? "").matchAll(/(?:^|; *)(?:__Host-)?stile-gate=([\w.-]{1,80})/g);
  return [...found].slice(0, 4).map(([, pass = ""]) => pass);
}

/** The Set-Cookie value of a pass. */
export function passCookie(pass: string, { isSecure }: ProtectedPlace, seconds: number): string {
  const name = isSecure ? COOKIES.secure : COOKIES.plain;
  const more = isSecure ? "; Secure" : "";
  return `${name}=${pass}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${more}`;
}

/** The form of the page; undefined if this page would not send it. Rejects with RequestAborted. */
export async function readGateForm(request: IncomingMessage) {
  const limit = BODY_LIMITS.tokenVerify.bytes;
  const length = Number(request.headers["content-length"] ?? Number.NaN);
  if (!(length <= limit)) return undefined;
  const bytes = await readBytes(request, limit);
  const form = bytes === "too_large" ? undefined : readPairs(bytes.toString("latin1"));
  if (form === undefined) return undefined;
  return { token: form["stile-response"] || undefined, path: returnPath(form.to ?? "/") };
}
