import type { ChallengeStage } from "../../domain/challenge/challenge.ts";
import { isLetThrough } from "../../domain/challenge/decide-submission.ts";
import { isHostAllowed } from "../../domain/site/host-name.ts";
import type { Site } from "../../domain/site/site.ts";
import { findTestSite } from "../../domain/site/test-keys.ts";
import type { Visitor } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { type Issuing, issueWithinBudget } from "../../services/challenge/issue-within-budget.ts";
import { issueTestChallenge } from "../../services/challenge/test-challenge.ts";
import { findPublicSite } from "../../services/site/find-public-site.ts";
import { recordDoorRefusal } from "../../services/statistics/record-door-refusal.ts";
import { browserScope } from "../../services/visitor/browser-scope.ts";
import { clientScope } from "../../services/visitor/client-scope.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "siteLoad"
  | "challengeTallies"
  | "tokenUsage"
  | "usualEarnings"
  | "localLimiter"
  | "visitorMemory"
  | "statistics"
  | "decisions"
>;

/** GET /api/v1/pow/challenge, parsed (D8, challenge). */
export type ChallengeRequest = {
  readonly siteKey: string;
  /** Identifies the request to its visitor, to the site's owner and in the log. */
  readonly requestId: string;
  readonly actionName: string | undefined;
  /**
   * Host of `Origin`, else of `Referer`; undefined if neither was sent, null if the header names no
   * host.
   */
  readonly host: string | null | undefined;
  /** Whether the browser says that it has no WebAssembly. */
  readonly wantsFallback: boolean;
  /** The page's observations so far; undefined if it does not send them. */
  readonly batch?: string | undefined;
  readonly visitor: Visitor;
};

/** Answer to a challenge request (D8, challenge). */
export type ChallengeAnswer =
  | Issuing
  | { readonly kind: "invalid_site_key" }
  /** `isTest`: test keys don't work there (D19, test keys). */
  | { readonly kind: "domain_mismatch"; readonly host: string | null; readonly isTest?: true }
  | { readonly kind: "site_disabled" };

/**
 * Issues a challenge to a visitor of one of the site's pages: find the site, check the host, draw,
 * sign.
 */
export async function issueChallenge(
  ports: Ports,
  request: ChallengeRequest,
): Promise<ChallengeAnswer> {
  const test = findTestSite(ports.settings.testPlace, request.siteKey);
  if (test !== undefined) return await issueTestChallenge(ports, test, request);
  const site = await findPublicSite(ports.directory, request.siteKey);
  if (site === undefined) return { kind: "invalid_site_key" };
  return recordDoorRefusal(ports, site, request, await answerFrom(ports, site, request));
}

async function answerFrom(
  ports: Ports,
  site: Site,
  request: ChallengeRequest,
): Promise<ChallengeAnswer> {
  const { host } = request;
  if (host === null || (host !== undefined && !isHostAllowed(host, site.domains))) {
    return { kind: "domain_mismatch", host };
  }
  if (!site.isEnabled) return { kind: "site_disabled" };
  const { actionName, visitor, batch } = request;
  const client = clientScope(ports.cryptography, visitor.address);
  const stage = (): ChallengeStage => {
    const browser = browserScope(ports.cryptography, visitor);
    const mustStepUp = ports.visitorMemory.mustStepUp(site.siteKey, browser, ports.clock.nowMs());
    return mustStepUp && !isLetThrough(site, visitor) ? "stepped_up" : "first";
  };
  const fallback = request.wantsFallback ? "asked" : "none";
  const asked = {
    site,
    stage,
    actionName,
    visitor,
    client,
    fallback,
    batch,
    isWorkDone: false,
  } as const;
  return await issueWithinBudget(ports, asked);
}
