import { decideSolution } from "../../domain/challenge/decide-solution.ts";
import type { Limited } from "../../domain/rate-window.ts";
import { isHostAllowed } from "../../domain/site/host-name.ts";
import type { Site } from "../../domain/site/site.ts";
import { findTestSite } from "../../domain/site/test-keys.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import {
  askAgain,
  demandStepUp,
  type SubmissionAnswer,
} from "../../services/challenge/ask-again.ts";
import { assessSolution } from "../../services/challenge/assess-solution.ts";
import {
  hasDoneTheWork,
  isForThisVisitor,
  recordFailure,
  type Submission,
} from "../../services/challenge/check-work.ts";
import { priceMovedSolution } from "../../services/challenge/price-moved-solution.ts";
import {
  countLessWork,
  recordSolution,
  spendChallenge,
} from "../../services/challenge/record-solution.ts";
import { openChallenge } from "../../services/challenge/sign-challenge.ts";
import { submitTestSolution } from "../../services/challenge/test-challenge.ts";
import { findPublicSite } from "../../services/site/find-public-site.ts";
import { type SiteChanged, withFreshSite } from "../../services/site/with-fresh-site.ts";
import { recordDoorRefusal } from "../../services/statistics/record-door-refusal.ts";
import { issueToken } from "../../services/token/issue-token.ts";
import { hasChangedNetwork } from "../../services/visitor/changed-network.ts";

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

/**
 * Accepts a solution: find the site, open the challenge, check the work, assess the visitor,
 * decide, spend the challenge, answer.
 */
export async function submitSolution(
  ports: Ports,
  submission: Submission,
): Promise<SubmissionAnswer> {
  const test = findTestSite(ports.settings.testPlace, submission.siteKey);
  if (test !== undefined) return await submitTestSolution(ports, test, submission);
  return await withFreshSite<SubmissionAnswer>(ports.directory, async () => {
    const site = await findPublicSite(ports.directory, submission.siteKey);
    if (site === undefined) return { kind: "invalid_site_key" };
    const answer = await takeSolution(ports, site, submission);
    return answer.kind === "site_changed"
      ? answer
      : recordDoorRefusal(ports, site, submission, answer);
  });
}

async function takeSolution(
  ports: Ports,
  site: Site,
  submission: Submission,
): Promise<SubmissionAnswer | SiteChanged> {
  // 1. Open the challenge.
  const { host } = submission;
  if (host === undefined || !isHostAllowed(host, site.domains))
    return { kind: "domain_mismatch", host };
  if (!site.isEnabled) return { kind: "site_disabled" };
  const open = openChallenge(ports.cryptography, submission.challenge);
  if (open === undefined || !isForThisVisitor(ports, open, submission))
    return askToRetry(ports, site);

  // 2. Check the work. From here on every refusal of a correct solution counts as a failure: it
  // costs the service most, as all of its work is hashed. After three failures none is hashed.
  if (!hasDoneTheWork(ports, open, submission)) return askToRetry(ports, site);
  const refuse = (limited?: Limited): SubmissionAnswer => {
    recordFailure(ports, open);
    return limited ?? askToRetry(ports, site);
  };
  // The solution itself counts as a failure until it is answered. Otherwise all copies that arrive
  // before the first one is spent would be assessed: the most expensive step a thousand times.
  recordFailure(ports, open);
  try {
    const hasMoved = hasChangedNetwork(ports.cryptography, open.challenge, submission.visitor);
    if (hasMoved) {
      const price = await priceMovedSolution(ports, site, open.challenge, submission);
      if (price.kind === "limited") return refuse(price);
      if (price.kind === "cheap") return refuse();
    }
    // While the price was looked up, the store may have begun a run that does not know the earlier
    // spends under the challenge's key (D3, single use).
    if (ports.cryptography.isRetired(open.challenge.keyId)) return refuse();
    const solution = { site, open, hasMoved, submission: { ...submission, host } };

    // 3. Assess. 4. Decide.
    const assessed = assessSolution(ports, solution);
    const decided = { ...assessed, ...decideSolution(site, assessed) };

    // 5. Spend. Nobody learns the result before, but visits assessed meanwhile see this one.
    const release = decided.addPending();
    const spending = await spendChallenge(ports, solution, decided).finally(release);
    if (spending === "site_changed") return { kind: spending, siteKey: site.siteKey };
    if (spending !== "spent") return refuse();
    decided.remember();
    recordSolution(ports, solution, decided);
    await countLessWork(ports, solution, decided);

    // 6. Answer.
    const { outcome, nowMs } = decided;
    if (outcome === "issue") {
      const drawnElsewhere = hasMoved ? open.challenge : undefined;
      const { score } = decided.assessment;
      return issueToken(ports, site, solution.submission, { score, nowMs, drawnElsewhere });
    }
    demandStepUp(ports, solution, decided);
    if (outcome === "block") return { kind: "blocked", contact: site.contact };
    return await askAgain(ports, solution, { ...decided, outcome });
  } finally {
    ports.failures.takeBack(open.challenge.id);
  }
}

function askToRetry(ports: Ports, { siteKey }: Site): SubmissionAnswer {
  ports.statistics.count({ siteKey, metric: "challenge_failed", atMs: ports.clock.nowMs() });
  return { kind: "retry" };
}
