import type { Limited } from "../domain/rate-window.ts";
import { isHostAllowed } from "../domain/site/host-name.ts";
import type { Site } from "../domain/site/site.ts";
import type { Visitor } from "../domain/visitor/visitor.ts";

/** The request of a visitor without JavaScript, and its origin (D18, no JavaScript). */
export type DelayRequest = {
  /** Identifies the request to its visitor, to the site's owner and in the log. */
  readonly requestId: string;
  readonly siteKey: string;
  readonly actionName: string | undefined;
  /**
   * Host of the page that they came from; undefined if no header says, null if the header names no
   * host.
   */
  readonly host: string | null | undefined;
  readonly visitor: Visitor;
};

/** Why this site gives no delay to this or any visitor. */
export type DelayRefusal =
  | { readonly kind: "invalid_site_key" }
  | { readonly kind: "domain_mismatch" }
  | { readonly kind: "site_disabled" }
  /** The site's owner allows no tokens without JavaScript. */
  | { readonly kind: "not_offered" };

/**
 * A delay that is not over: its signed text, the host to submit with it, and the wait that is left.
 */
export type PendingDelay = {
  readonly kind: "waiting";
  readonly delay: string;
  readonly host: string;
  readonly waitMs: number;
};

/** A finished delay over a limit of its network or of the site. The same delay stays valid. */
export type LimitedDelay = Limited & Pick<PendingDelay, "delay" | "host">;

/** The settings of a site that pages without JavaScript show. */
export type SiteInWords = Pick<Site, "language" | "contact">;

/** The site that an answer is about; absent if there is none. */
export type AboutSite = { readonly site?: SiteInWords };

/** Why visitors of pages of that host get no token for waiting; undefined if they do. */
export function refuseDelay(site: Site, host: string | null): DelayRefusal | undefined {
  if (host === null || !isHostAllowed(host, site.domains)) return { kind: "domain_mismatch" };
  if (!site.isEnabled) return { kind: "site_disabled" };
  return site.noScript === "off" ? { kind: "not_offered" } : undefined;
}
