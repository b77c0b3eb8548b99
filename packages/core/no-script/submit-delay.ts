import { DELAY_SECONDS } from "@stile/protocol/limits";
import { challengeExpiresAtMs } from "../domain/challenge/challenge.ts";
import { decideSubmission } from "../domain/challenge/decide-submission.ts";
import type { Site } from "../domain/site/site.ts";
import type { ServicePorts } from "../ports/service-ports.ts";
import { isForThisVisitor, recordFailure } from "../services/challenge/check-work.ts";
import { type OpenChallenge, openChallenge } from "../services/challenge/sign-challenge.ts";
import { findPublicSite } from "../services/site/find-public-site.ts";
import { type SiteChanged, withFreshSite } from "../services/site/with-fresh-site.ts";
import { recordDoorRefusal } from "../services/statistics/record-door-refusal.ts";
import { type IssuedToken, issueToken } from "../services/token/issue-token.ts";
import { hasChangedNetwork } from "../services/visitor/changed-network.ts";
import { assessDelay, type DelaySubmission, recordDelay, spentMetrics } from "./assess-delay.ts";
import { leftToWaitMs } from "./delay.ts";
import { drawDelay } from "./delay-budget.ts";
import {
  type AboutSite,
  type DelayRefusal,
  type LimitedDelay,
  type PendingDelay,
  refuseDelay,
} from "./delay-request.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "siteLoad"
  | "challenges"
  | "failures"
  | "tokenUsage"
  | "usualEarnings"
  | "localLimiter"
  | "challengeTallies"
  | "networkLists"
  | "statistics"
  | "decisions"
>;

type DelayOutcome =
  | IssuedToken
  /** Submitted too early; the same delay stays valid. */
  | PendingDelay
  | LimitedDelay
  /** Forged, expired, another visitor's, or used: the visitor has to ask for a new one. */
  | { readonly kind: "retry" }
  | { readonly kind: "blocked" }
  | DelayRefusal;

/** Answer to a submitted delay (D18, no JavaScript). The visitor learns neither score nor flags. */
export type DelaySubmissionAnswer = DelayOutcome & AboutSite;

/**
 * Accepts a delay: find the site, open the delay, check that it is this visitor's and is over,
 * assess, spend, answer.
 */
export async function submitDelay(
  ports: Ports,
  submission: DelaySubmission,
): Promise<DelaySubmissionAnswer> {
  return await withFreshSite<DelaySubmissionAnswer>(ports.directory, async () => {
    const site = await findPublicSite(ports.directory, submission.siteKey);
    if (site === undefined) return { kind: "invalid_site_key" };
    const answer = await answerFrom(ports, site, submission);
    return answer.kind === "site_changed"
      ? answer
      : { ...recordDoorRefusal(ports, site, submission, answer), site };
  });
}

async function answerFrom(
  ports: Ports,
  site: Site,
  submission: DelaySubmission,
): Promise<DelayOutcome | SiteChanged> {
  const { delay, host } = submission;
  const refusal = refuseDelay(site, host);
  if (refusal !== undefined) return refusal;
  const open = openChallenge(ports.cryptography, delay, "delay");
  if (
    open === undefined ||
    !isForThisVisitor(ports, open, submission) ||
    ports.failures.isUsedUp(open.challenge.id)
  ) {
    return askToRetry(ports, site);
  }
  // A delay costs nothing but time, and somebody else's network may have waited.
  if (hasChangedNetwork(ports.cryptography, open.challenge, submission.visitor))
    return askToRetry(ports, site);
  const waitMs = leftToWaitMs(open.challenge, ports.clock.nowMs());
  if (waitMs > 0) return { kind: "waiting", delay, host, waitMs };
  // It counts as a failure until it is answered, so that few copies are assessed at a time.
  recordFailure(ports, open);
  try {
    const limit = await drawDelay(ports, site, submission.visitor);
    if (!limit.isAdmitted) return { kind: "limited", limit, delay, host };
    return await assessAndSpend(ports, site, open, submission);
  } finally {
    ports.failures.takeBack(open.challenge.id);
  }
}

function askToRetry(ports: Ports, { siteKey }: Site): DelayOutcome {
  ports.statistics.count({ siteKey, metric: "challenge_failed", atMs: ports.clock.nowMs() });
  return { kind: "retry" };
}

/**
 * Spends the delay in the same write as any challenge, so that it has only one outcome (D3, single
 * use; D9, submission).
 */
async function assessAndSpend(
  ports: Ports,
  site: Site,
  open: OpenChallenge,
  submission: DelaySubmission,
): Promise<DelayOutcome | SiteChanged> {
  const nowMs = ports.clock.nowMs();
  const assessment = assessDelay(ports, site, submission);
  // Pressing the button is the click that a mode may require.
  const outcome = decideSubmission(site, {
    score: assessment.score,
    otherwise: 0,
    click: "made",
    mayPay: false,
    stage: "first",
  });
  const spending = await ports.challenges.spend({
    siteKey: site.siteKey,
    siteRevision: site.revision,
    challengeId: open.challenge.id,
    issuedAtMs: open.challenge.issuedAtMs,
    retainUntilMs: challengeExpiresAtMs(open.challenge),
    nowMs,
    onSpent: spentMetrics(submission, assessment, outcome),
  });
  if (spending === "site_changed") return { kind: spending, siteKey: site.siteKey };
  if (spending !== "spent") {
    recordFailure(ports, open);
    return askToRetry(ports, site);
  }
  recordDelay(ports, site, submission, { assessment, outcome, nowMs });
  if (outcome !== "issue") return { kind: "blocked" };
  // People copy this token by hand, which takes time.
  const tokenLifeSeconds = Math.max(site.tokenLifeSeconds, DELAY_SECONDS.tokenLife);
  const bearer = { ...submission, cdata: undefined };
  return issueToken(ports, { ...site, tokenLifeSeconds }, bearer, {
    score: assessment.score,
    nowMs,
    isScriptless: true,
  });
}
