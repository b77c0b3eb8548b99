import type { Site } from "../domain/site/site.ts";
import type { ServicePorts } from "../ports/service-ports.ts";
import {
  bindChallenge,
  CHALLENGE_ID_BYTES,
  toSignedText,
} from "../services/challenge/sign-challenge.ts";
import { findPublicSite } from "../services/site/find-public-site.ts";
import { recordDoorRefusal } from "../services/statistics/record-door-refusal.ts";
import { createDelay, leftToWaitMs } from "./delay.ts";
import {
  type AboutSite,
  type DelayRefusal,
  type DelayRequest,
  type PendingDelay,
  refuseDelay,
} from "./delay-request.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "directory" | "statistics" | "decisions"
>;

/** Answer to a request for a delay (D18, no JavaScript). */
export type DelayAnswer = (PendingDelay | DelayRefusal) & AboutSite;

/**
 * Issues a signed delay, bound to site, action, network and browser. It is stored and counted
 * against limits only on submission; otherwise delays that nobody waited for would use up those of
 * others (D18, no JavaScript).
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
  // Browsers may hide the address of the page. Then the site's first domain counts.
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
