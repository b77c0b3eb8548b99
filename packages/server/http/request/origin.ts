import type { IncomingMessage } from "node:http";
import { parseHostName } from "@stile/core/domain/site/host-name";

/**
 * Schemes that apps (Capacitor, Ionic, Tauri, Electron) give to the pages they contain, in addition
 * to those of the web.
 */
export const APP_SCHEMES = ["app", "capacitor", "ionic", "tauri"] as const;

const PAGE_ORIGIN = new RegExp(
  String.raw`^(?:https?|${APP_SCHEMES.join("|")})://(\[[0-9a-fA-F:.]+\]|[^/:?#@[\]]+)(:\d{1,5})?$`,
);
const WEB_ADDRESS = /^(https?:\/\/[^/?#]+)/;

/**
 * The host of an Origin header. Undefined for `null` and anything else that is not the origin of a
 * page on the web or in an app.
 */
export function hostOfOrigin(origin: string): string | undefined {
  const host = PAGE_ORIGIN.exec(origin)?.[1];
  return host === undefined ? undefined : parseHostName(host);
}

/**
 * The host of the page that asks, by `Origin`, else `Referer` (D8, challenge). `unknown` without
 * both, `foreign` if unusable.
 */
export function findPageHost(request: IncomingMessage): { host: string } | "unknown" | "foreign" {
  const { origin, referer } = request.headers;
  const source =
    origin ?? (referer === undefined ? undefined : (WEB_ADDRESS.exec(referer)?.[1] ?? ""));
  if (source === undefined) return "unknown";
  const host = hostOfOrigin(source);
  return host === undefined ? "foreign" : { host };
}
