import { DELAY_SECONDS } from "@stile/protocol/limits";
import { challengeExpiresAtMs } from "../../../domain/challenge/challenge.ts";
import { decideSubmission } from "../../../domain/challenge/decide-submission.ts";
import { leftToWaitMs } from "../../../domain/challenge/delay.ts";
import type { Site } from "../../../domain/site/site.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { findPublicSite } from "../../site/find-public-site.ts";
import { type SiteChanged, withFreshSite } from "../../site/with-fresh-site.ts";
import { recordDoorRefusal } from "../../statistics/record-door-refusal.ts";
import { type IssuedToken, issueToken } from "../../token/issue-token.ts";
import { hasChangedNetwork } from "../../visitor/changed-network.ts";
import { countWhile, isForThisVisitor, recordFailure } from "../check-work.ts";
import { type OpenChallenge, openChallenge } from "../sign-challenge.ts";
import { type AboutSite, type DelayRefusal, type PendingDelay, refuseDelay } from "./issue-delay.ts";
import { type DelaySubmission, judgeDelay, recordJudgement, spentMetrics } from "./judge-delay.ts";

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
  | "localLimiter"
  | "networkLists"
  | "statistics"
  | "decisions"
>;

type Outcome =
  | IssuedToken
  /** Pressed too early: the same delay stays good. */
  | PendingDelay
  /** Forged, stale, of another visitor, or used: the visitor has to ask for another. */
  | { readonly kind: "retry" }
  | { readonly kind: "blocked" }
  | DelayRefusal;

/** Answer to a delay that was handed in (D18). The visitor learns neither score nor flags. */
export type DelaySubmissionAnswer = Outcome & AboutSite;

/** Takes a delay: find the site, open the delay, check that it is the visitor's and over, judge, spend it, then answer. */
export async function submitDelay(ports: Ports, submission: DelaySubmission): Promise<DelaySubmissionAnswer> {
  return await withFreshSite<DelaySubmissionAnswer>(ports.directory, async () => {
    const site = await findPublicSite(ports.directory, submission.siteKey);
    if (site === undefined) return { kind: "invalid_site_key" };
    const answer = await answerFrom(ports, site, submission);
    return answer.kind === "site_changed" ? answer : { ...recordDoorRefusal(ports, site, submission, answer), site };
  });
}

async function answerFrom(ports: Ports, site: Site, submission: DelaySubmission): Promise<Outcome | SiteChanged> {
  const { delay, host } = submission;
  const refusal = refuseDelay(site, host);
  if (refusal !== undefined) return refusal;
  const open = openChallenge(ports.cryptography, delay, "delay");
  if (open === undefined || !isForThisVisitor(ports, open, submission) || ports.failures.isUsedUp(open.challenge.id)) {
    return askToRetry(ports, site);
  }
  // Waiting costs nothing but quota, and that is the network's.
  if (hasChangedNetwork(ports.cryptography, open.challenge, submission)) return askToRetry(ports, site);
  const waitMs = leftToWaitMs(open.challenge, ports.clock.nowMs());
  if (waitMs > 0) return { kind: "waiting", delay, host, waitMs };
  return await countWhile(ports, open, () => judgeAndSpend(ports, site, open, submission));
}

function askToRetry(ports: Ports, { siteKey }: Site): Outcome {
  ports.statistics.count({ siteKey, metric: "challenge_failed", atMs: ports.clock.nowMs() });
  return { kind: "retry" };
}

/** Spent by the same write as any challenge, so that one delay yields one outcome, whatever it is (D3, D9). */
async function judgeAndSpend(
  ports: Ports,
  site: Site,
  open: OpenChallenge,
  submission: DelaySubmission,
): Promise<Outcome | SiteChanged> {
  const nowMs = ports.clock.nowMs();
  const assessment = judgeDelay(ports, site, submission);
  // The press of the button is the click that a mode may ask for.
  const outcome = decideSubmission(site, assessment.score, "click", true);
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
  recordJudgement(ports, site, submission, { assessment, outcome, nowMs });
  if (outcome !== "issue") return { kind: "blocked" };
  // People carry this token by hand.
  const tokenLifeSeconds = Math.max(site.tokenLifeSeconds, DELAY_SECONDS.tokenLife);
  const bearer = { ...submission, cdata: undefined };
  return issueToken(ports, { ...site, tokenLifeSeconds }, bearer, {
    score: assessment.score,
    nowMs,
    isScriptless: true,
  });
}
