import { challengeExpiresAtMs } from "../../domain/challenge/challenge.ts";
import type { ChallengeSpendOutcome } from "../../domain/challenge/challenge-spend.ts";
import type { SolutionDecision } from "../../domain/challenge/decide-solution.ts";
import type { SubmissionOutcome } from "../../domain/challenge/decide-submission.ts";
import { outcomeMetrics } from "../../domain/statistics/solution-metrics.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { recordDecision } from "../statistics/record-decision.ts";
import { networkOf, providerOf } from "../visitor/network-evidence.ts";
import type { AssessedSolution } from "./assess-solution.ts";
import type { CorrectSolution } from "./check-work.ts";
import { findPayer } from "./terms/challenge-budget.ts";
import { countFallback, isFromQuota } from "./terms/fallback-terms.ts";

/** A correct solution with its findings and its decision. */
export type DecidedSolution = AssessedSolution & SolutionDecision;

const OUTCOMES = {
  issue: "token",
  step_up: "step_up",
  price: "priced",
  block: "blocked",
} as const satisfies Record<SubmissionOutcome, string>;

/**
 * Spends the challenge and counts its outcome in one write, so that a correct solution yields
 * exactly one outcome and the statistics agree with the answers (D9, submission).
 */
export async function spendChallenge(
  ports: Pick<ServicePorts, "challenges">,
  { site, open, submission }: CorrectSolution,
  decided: DecidedSolution,
): Promise<ChallengeSpendOutcome> {
  return await ports.challenges.spend({
    siteKey: site.siteKey,
    siteRevision: site.revision,
    challengeId: open.challenge.id,
    issuedAtMs: open.challenge.issuedAtMs,
    retainUntilMs: challengeExpiresAtMs(open.challenge),
    nowMs: decided.nowMs,
    onSpent: outcomeMetrics({
      outcome: decided.outcome,
      score: decided.assessment.score,
      // Shadow flags are counted too: that is their purpose.
      flags: decided.assessment.contributions.map(({ flag }) => flag),
      solveMs: decided.solveMs,
      device: decided.device,
      country: submission.visitor.country,
      host: submission.host,
      actionName: submission.actionName,
    }),
  });
}

/** Records for the site's owner how the solution was scored and decided. */
export function recordSolution(
  ports: Pick<ServicePorts, "cryptography" | "decisions">,
  { site, submission }: CorrectSolution,
  decided: DecidedSolution,
): void {
  const { signedAgent } = decided;
  recordDecision(ports, site, decided.assessment, {
    atMs: decided.nowMs,
    requestId: submission.requestId,
    source: "widget",
    outcome: OUTCOMES[decided.outcome],
    action: submission.actionName ?? null,
    host: submission.host,
    device: decided.device,
    solveMs: decided.solveMs,
    ...(signedAgent && { signedAgent: { name: signedAgent, isLetThrough: decided.isExempt } }),
  });
}

/** Counts a solution with less work against the quotas that it was granted from (D8, challenge). */
export async function countLessWork(
  ports: Pick<ServicePorts, "cryptography" | "directory" | "settings" | "challengeTallies">,
  { site, open, submission }: CorrectSolution,
  { client, nowMs }: DecidedSolution,
): Promise<void> {
  if (!isFromQuota(open.challenge)) return;
  const { address, bindingAddress } = submission.visitor;
  const network = networkOf(ports.cryptography, bindingAddress, nowMs) ?? client;
  const provider = providerOf(ports.cryptography, address);
  const account = await findPayer(ports, site);
  countFallback(ports, { account, siteKey: site.siteKey, network, provider, nowMs });
}
