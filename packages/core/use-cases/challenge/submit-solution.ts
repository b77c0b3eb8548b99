import { isHostAllowed } from "../../domain/site/host-name.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { type JudgedSolution, judgeSolution } from "../../services/challenge/assess-solution.ts";
import {
  countWhile,
  hasDoneTheWork,
  isForThisVisitor,
  type RightSolution,
  recordFailure,
  type Submission,
} from "../../services/challenge/check-work.ts";
import {
  type IssuedChallenge,
  type Issuing,
  issueWithinBudget,
} from "../../services/challenge/issue-within-budget.ts";
import { priceMovedSolution } from "../../services/challenge/price-moved-solution.ts";
import {
  countLessWork,
  recordSolution,
  spendChallenge,
} from "../../services/challenge/record-solution.ts";
import { type OpenChallenge, openChallenge } from "../../services/challenge/sign-challenge.ts";
import { findPublicSite } from "../../services/site/find-public-site.ts";
import { type SiteChanged, withFreshSite } from "../../services/site/with-fresh-site.ts";
import { recordDoorRefusal } from "../../services/statistics/record-door-refusal.ts";
import { type IssuedToken, issueToken } from "../../services/token/issue-token.ts";
import { browserScope } from "../../services/visitor/browser-scope.ts";
import { hasChangedNetwork } from "../../services/visitor/changed-network.ts";
import { recallVisit } from "../../services/visitor/recall-visit.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "directory"
  | "siteLoad"
  | "challenges"
  | "challengeTallies"
  | "failures"
  | "tokenUsage"
  | "usualEarnings"
  | "localLimiter"
  | "visitorMemory"
  | "visitMemory"
  | "waveMemory"
  | "networkLists"
  | "statistics"
  | "decisions"
>;

/** Answer to a submission (D9). The browser learns neither score nor flags. */
export type SubmissionAnswer =
  | IssuedToken
  | { readonly kind: "step_up" | "price"; readonly issued: IssuedChallenge }
  /** `contact` is the setting of the site, unparsed. */
  | { readonly kind: "blocked"; readonly contact: string }
  /** Wrong, expired, another visitor's or used: the widget fetches a new challenge. */
  | { readonly kind: "retry" }
  | { readonly kind: "invalid_site_key" }
  | { readonly kind: "domain_mismatch"; readonly host: string | undefined }
  | { readonly kind: "site_disabled" }
  | Extract<Issuing, { readonly kind: "limited" }>;

/** For how long a stepped-up browser gets only stepped-up challenges (D9). */
const STEP_UP_MS = 600_000;

/**
 * Takes a solution: find the site, open the challenge, check the work, judge, spend the challenge,
 * answer.
 */
export async function submitSolution(
  ports: Ports,
  submission: Submission,
): Promise<SubmissionAnswer> {
  return await withFreshSite<SubmissionAnswer>(ports.directory, async () => {
    const site = await findPublicSite(ports.directory, submission.siteKey);
    if (site === undefined) return { kind: "invalid_site_key" };
    const answer = await answerFrom(ports, site, submission);
    return answer.kind === "site_changed"
      ? answer
      : recordDoorRefusal(ports, site, submission, answer);
  });
}

async function answerFrom(
  ports: Ports,
  site: Site,
  submission: Submission,
): Promise<SubmissionAnswer | SiteChanged> {
  const { host } = submission;
  if (host === undefined || !isHostAllowed(host, site.domains))
    return { kind: "domain_mismatch", host };
  if (!site.isEnabled) return { kind: "site_disabled" };
  const open = openChallenge(ports.cryptography, submission.challenge);
  if (
    open === undefined ||
    !isForThisVisitor(ports, open, submission) ||
    !hasDoneTheWork(ports, open, submission)
  ) {
    return askToRetry(ports, site);
  }
  return await countWhile(ports, open, () =>
    answerRight(ports, site, open, { ...submission, host }),
  );
}

async function answerRight(
  ports: Ports,
  site: Site,
  open: OpenChallenge,
  submission: RightSolution["submission"],
): Promise<SubmissionAnswer | SiteChanged> {
  const hasMoved = hasChangedNetwork(ports.cryptography, open.challenge, submission.visitor);
  if (hasMoved) {
    const price = await priceMovedSolution(ports, site, open.challenge, submission);
    if (price.kind === "limited") return refuseRight(ports, site, open, price);
    if (price.kind === "cheap") return refuseRight(ports, site, open);
  }
  // While the price was looked up, the store may have begun a run that does not know the earlier
  // spends under the challenge's key (D3).
  if (ports.cryptography.isRetired(open.challenge.keyId)) return refuseRight(ports, site, open);
  return await judgeAndSpend(ports, { site, open, hasMoved, submission });
}

/**
 * Counts a failure: refusing a correct solution costs most, as all of it is hashed. After three,
 * none is hashed.
 */
function refuseRight(
  ports: Ports,
  site: Site,
  open: OpenChallenge,
  limited?: SubmissionAnswer,
): SubmissionAnswer {
  recordFailure(ports, open);
  return limited ?? askToRetry(ports, site);
}

function askToRetry(ports: Ports, { siteKey }: Site): SubmissionAnswer {
  ports.statistics.count({ siteKey, metric: "challenge_failed", atMs: ports.clock.nowMs() });
  return { kind: "retry" };
}

/**
 * Keeps only the results while the challenge is spent: observations are large, and many submissions
 * wait at a time.
 */
function judge(ports: Ports, solution: RightSolution) {
  const { site, open, submission } = solution;
  const observations = submission.observe();
  const visit = {
    siteKey: site.siteKey,
    challenge: open.challenge,
    visitor: submission.visitor,
    observations,
  };
  const recalled = recallVisit(ports, visit);
  const { hold, remember } = recalled;
  return { judged: judgeSolution(ports, solution, observations, recalled), hold, remember };
}

/**
 * Judges, spends, remembers. Until the challenge is spent nobody is told the result, but visits
 * judged meanwhile see this one.
 */
async function judgeAndSpend(
  ports: Ports,
  solution: RightSolution,
): Promise<SubmissionAnswer | SiteChanged> {
  const { site, open } = solution;
  const { judged, hold, remember } = judge(ports, solution);
  const release = hold();
  let spending: Awaited<ReturnType<typeof spendChallenge>>;
  try {
    spending = await spendChallenge(ports, solution, judged);
  } finally {
    release();
  }
  if (spending === "site_changed") return { kind: spending, siteKey: site.siteKey };
  if (spending !== "spent") return refuseRight(ports, site, open);
  remember();
  recordSolution(ports, solution, judged);
  await countLessWork(ports, solution, judged);
  return await answerSpent(ports, solution, judged);
}

async function answerSpent(
  ports: Ports,
  solution: RightSolution,
  judged: JudgedSolution,
): Promise<SubmissionAnswer> {
  const { site, open, hasMoved, submission } = solution;
  const { outcome, client, nowMs, stepUp } = judged;
  if (outcome === "issue") {
    const drawnElsewhere = hasMoved ? open.challenge : undefined;
    return issueToken(ports, site, submission, {
      score: judged.assessment.score,
      nowMs,
      drawnElsewhere,
    });
  }
  const { actionName, visitor, batch } = submission;
  // A visitor who was merely not seen is no risk, so neighbours with the same browser need no
  // step-up.
  if (!stepUp.isWorkDone) {
    ports.visitorMemory.demandStepUp(
      site.siteKey,
      browserScope(ports.cryptography, visitor),
      nowMs + STEP_UP_MS,
    );
  }
  if (outcome === "block") return { kind: "blocked", contact: site.contact };
  const stage = () => (outcome === "price" ? "priced" : "stepped_up");
  const issuing = await issueWithinBudget(ports, {
    site,
    stage,
    actionName,
    visitor,
    client,
    batch,
    ...stepUp,
  });
  return issuing.kind === "issued" ? { kind: outcome, issued: issuing.issued } : issuing;
}
