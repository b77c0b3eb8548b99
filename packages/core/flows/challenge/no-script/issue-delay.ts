import { createDelay, leftToWaitMs } from "../../../domain/challenge/delay.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import { isHostAllowed } from "../../../domain/site/host-name.ts";
import type { Site } from "../../../domain/site/site.ts";
import type { Visitor } from "../../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { findPublicSite } from "../../site/find-public-site.ts";
import { recordDoorRefusal } from "../../statistics/record-door-refusal.ts";
import { bindChallenge, CHALLENGE_ID_BYTES, toSignedText } from "../sign-challenge.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "directory" | "statistics" | "decisions"
>;

/** What a visitor without JavaScript asks for, and where they come from (D18). */
export type DelayRequest = {
  /** Identifies the request to its visitor, to the site's owner and in the log. */
  readonly requestId: string;
  readonly siteKey: string;
  readonly actionName: string | undefined;
  /**
   * Host of the page that they came from; undefined if no header tells, null if the header names no
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

/** Answer to a request for a delay (D18). */
export type DelayAnswer = (PendingDelay | DelayRefusal) & AboutSite;

/** Why visitors of pages of that host get no token for waiting; undefined if they do. */
export function refuseDelay(site: Site, host: string | null): DelayRefusal | undefined {
  if (host === null || !isHostAllowed(host, site.domains)) return { kind: "domain_mismatch" };
  if (!site.isEnabled) return { kind: "site_disabled" };
  return site.noScript === "off" ? { kind: "not_offered" } : undefined;
}

/**
 * Issues a signed delay, bound to site, action, network and browser. Nothing is stored or counted
 * against a limit until it is submitted: delays that nobody waited for would use up those of others
 * (D18).
 */
export async function issueDelay(ports: Ports, request: DelayRequest): Promise<DelayAnswer> {
  const site = await findPublicSite(ports.directory, request.siteKey);
  if (site === undefined) return { kind: "invalid_site_key" };
  return {
    ...recordDoorRefusal(ports, site, request, await answerFrom(ports, site, request)),
    site,
  };
}

async function answerFrom(ports: Ports, site: Site, request: DelayRequest): Promise<DelayAnswer> {
  // Browsers may hide the address of the page. Then the site's first domain is taken.
  const host = request.host === undefined ? (site.domains[0] ?? null) : request.host;
  const refusal = refuseDelay(site, host);
  if (refusal !== undefined || host === null) return refusal ?? { kind: "domain_mismatch" };
  const { clock, cryptography } = ports;
  const nowMs = clock.nowMs();
  const binding = bindChallenge(cryptography, { ...request, nowMs });
  const delay = createDelay(site.siteKey, {
    binding,
    id: cryptography.randomBytes(CHALLENGE_ID_BYTES),
    nowMs,
  });
  ports.statistics.count({ siteKey: site.siteKey, metric: "challenge_issued", atMs: nowMs });
  const text = toSignedText(cryptography, "delay", delay);
  return { kind: "waiting", delay: text, host, waitMs: leftToWaitMs(delay, nowMs) };
}
