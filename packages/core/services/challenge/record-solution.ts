import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import type { SubmissionOutcome } from "../../domain/challenge/decide-submission.ts";
import { judgedMetrics } from "../../domain/statistics/solution-metrics.ts";
import type { ChallengeSpendOutcome } from "../../ports/challenge/challenge-ledger.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { recordDecision } from "../statistics/record-decision.ts";
import { networkOf, providerOf } from "../visitor/network-evidence.ts";
import type { JudgedSolution } from "./assess-solution.ts";
import type { RightSolution } from "./check-work.ts";
import { findPayer } from "./terms/challenge-budget.ts";
import { countFallback, isFromQuota } from "./terms/fallback-terms.ts";

const OUTCOMES = {
  issue: "token",
  step_up: "step_up",
  price: "priced",
  block: "blocked",
} as const satisfies Record<SubmissionOutcome, string>;

/**
 * Spends the challenge and counts its outcome in one write, so that a correct solution yields
 * exactly one outcome and the statistics agree with the answers (D9).
 */
export async function spendChallenge(
  ports: Pick<ServicePorts, "challenges">,
  { site, open, submission }: RightSolution,
  { assessment, outcome, device, solveMs, nowMs }: JudgedSolution,
): Promise<ChallengeSpendOutcome> {
  const { host, actionName, visitor } = submission;
  const { score } = assessment;
  // Shadow flags are counted too: that is their purpose.
  const flags = assessment.contributions.map(({ flag }) => flag);
  const { country } = visitor;
  return await ports.challenges.spend({
    siteKey: site.siteKey,
    siteRevision: site.revision,
    challengeId: open.challenge.id,
    issuedAtMs: open.challenge.issuedAtMs,
    retainUntilMs: challengeExpiresAtMs(open.challenge),
    nowMs,
    onSpent: judgedMetrics({ outcome, score, flags, solveMs, device, country, host, actionName }),
  });
}

/** Records for the site's owner how the solution was judged. */
export function recordSolution(
  ports: Pick<ServicePorts, "cryptography" | "decisions">,
  { site, submission }: RightSolution,
  { assessment, outcome, device, solveMs, nowMs, signedAgent }: JudgedSolution,
): void {
  recordDecision(ports, site, assessment, {
    atMs: nowMs,
    requestId: submission.requestId,
    source: "widget",
    outcome: OUTCOMES[outcome],
    action: submission.actionName ?? null,
    host: submission.host,
    device,
    solveMs,
    ...(signedAgent && { signedAgent }),
  });
}

/** Counts a solution with less work against the quotas that it was granted from (D8). */
export async function countLessWork(
  ports: Pick<ServicePorts, "cryptography" | "directory" | "settings" | "challengeTallies">,
  { site, open, submission }: RightSolution,
  { client, nowMs }: JudgedSolution,
): Promise<void> {
  if (!isFromQuota(open.challenge)) return;
  const { address, bindingAddress } = submission.visitor;
  const network = networkOf(ports.cryptography, bindingAddress, nowMs) ?? client;
  const provider = providerOf(ports.cryptography, address);
  const account = await findPayer(ports, site);
  countFallback(ports, { account, siteKey: site.siteKey, network, provider, nowMs });
}
