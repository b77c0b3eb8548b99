import { isSiteKey } from "@stile/protocol/key-formats";
import { assess, type HistoryEvidence } from "@stile/risk/assess";
import { challengeExpiresAtMs, type FallbackWish } from "../../domain/challenge/challenge.ts";
import { type Decision, decideSubmission, hasClick } from "../../domain/challenge/submission.ts";
import type { LimitState } from "../../domain/rate-window.ts";
import { isHostAllowed } from "../../domain/site/host-name.ts";
import type { Site } from "../../domain/site/site.ts";
import { solveMsOf } from "../../domain/statistics/solve-times.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../site/authenticate-secret.ts";
import { withFreshSite } from "../site/with-fresh-site.ts";
import { noteAtDoor } from "../statistics/door-refusals.ts";
import { noteDecision } from "../statistics/record-decision.ts";
import { createTokenHeader, sealToken } from "../token/seal-token.ts";
import { browserScope } from "../visitor/browser-scope.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { judgeNetwork } from "../visitor/network-evidence.ts";
import { compareBehaviour } from "../visitor/repeated-behaviour.ts";
import { compareCurves, originOf } from "../visitor/replayed-paths.ts";
import { digestAddress, digestUserAgent, networkName } from "../visitor/visitor-digests.ts";
import { hasDoneTheWork, isForThisVisitor, recordFailure, type Submission } from "./check-work.ts";
import { type IssuedChallenge, issueWithinBudget } from "./issue-within-budget.ts";
import { type OpenChallenge, openChallenge } from "./sign-challenge.ts";
import { judgedMetrics } from "./solution-metrics.ts";

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
  | "trails"
  | "localLimiter"
  | "history"
  | "behaviours"
  | "curves"
  | "networkLists"
  | "statistics"
  | "decisions"
>;

/** Answer to a submission (D9). The browser learns neither score nor flags. */
export type SubmissionAnswer =
  | { readonly kind: "issued"; readonly token: string; readonly expiresAtMs: number }
  | { readonly kind: "step_up"; readonly issued: IssuedChallenge }
  | { readonly kind: "blocked" }
  /** Wrong, stale, foreign or used: the widget fetches another challenge. */
  | { readonly kind: "retry" }
  | { readonly kind: "invalid_site_key" }
  | { readonly kind: "domain_mismatch"; readonly host: string | undefined }
  | { readonly kind: "site_disabled" }
  | { readonly kind: "limited"; readonly limit: LimitState };

/** How long a stepped-up browser gets only stepped-up challenges (D9). */
const STEP_UP_MS = 600_000;

/** Takes a solution: find the site, open the challenge, check the work, judge, spend the challenge, then answer. */
export async function submitSolution(ports: Ports, submission: Submission): Promise<SubmissionAnswer> {
  if (!isSiteKey(submission.siteKey)) return { kind: "invalid_site_key" };
  return await withFreshSite<SubmissionAnswer>(ports.directory, submission.siteKey, async (site) => {
    if (site === undefined || site.deletedAtMs !== null) return { kind: "invalid_site_key" };
    const answer = await answerFrom(ports, site, submission);
    return answer === "site_changed" ? answer : noteAtDoor(ports, site, submission, answer);
  });
}

async function answerFrom(
  ports: Ports,
  site: Site,
  submission: Submission,
): Promise<SubmissionAnswer | "site_changed"> {
  const { host } = submission;
  if (host === undefined || !isHostAllowed(host, site.domains)) return { kind: "domain_mismatch", host };
  if (!site.isEnabled) return { kind: "site_disabled" };
  const open = openChallenge(ports.cryptography, submission.challenge);
  if (open === undefined || !isForThisVisitor(ports, open, submission) || !hasDoneTheWork(ports, open, submission)) {
    return askToRetry(ports, site);
  }
  return await judgeAndSpend(ports, site, open, { ...submission, host });
}

function askToRetry(ports: Ports, { siteKey }: Site): SubmissionAnswer {
  ports.statistics.count({ siteKey, metric: "challenge_failed", atMs: ports.clock.nowMs() });
  return { kind: "retry" };
}

function assessSubmission(
  ports: Ports,
  site: Site,
  { challenge }: OpenChallenge,
  submission: Submission,
  { observations, client, seen }: { observations: Observations; client: string; seen: HistoryEvidence },
) {
  const nowMs = ports.clock.nowMs();
  const { visitor } = submission;
  const address = visitor.bindingAddress;
  return assess(
    {
      headers: visitor.riskHeaders,
      userAgent: visitor.userAgent,
      ...observations,
      solve: {
        elapsedMs: nowMs - challenge.issuedAtMs,
        difficulty: challenge.difficulty,
        algorithm: challenge.algorithm,
        isFallback: challenge.isFallback,
        interaction: challenge.interaction,
        asksEverybody: site.mode === "interactive",
      },
      ...judgeNetwork(ports, { scope: "submit", siteKey: site.siteKey, client, address, nowMs }),
      history: {
        ...seen,
        isAddressChanged: (address?.family ?? 0) !== challenge.addressFamily,
        isAddressHidden: site.binding !== "off" && address === undefined,
      },
    },
    ports.settings.flagWeights,
  );
}

const DECISION_OUTCOMES = { issue: "token", step_up: "step_up", block: "blocked" } as const satisfies Record<
  Decision,
  string
>;

/**
 * One write spends the challenge and counts what came of it, so that a right solution yields exactly one outcome and
 * the statistics add up with the answers.
 */
async function judgeAndSpend(
  ports: Ports,
  site: Site,
  open: OpenChallenge,
  submission: Submission & { readonly host: string },
): Promise<SubmissionAnswer | "site_changed"> {
  const client = clientScope(ports.cryptography, submission.visitor.address);
  const observations = submission.observe();
  const { visitor } = submission;
  const origin = originOf(ports.cryptography, open.challenge, visitor, ports.clock.nowMs());
  const curves = compareCurves(ports, site.siteKey, observations, origin);
  const behaviour = compareBehaviour(ports, site.siteKey, observations.behaviour, origin);
  const seen = { nearestCurve: curves.nearestCurve, isBehaviourRepeated: behaviour.isRepeated };
  const assessment = assessSubmission(ports, site, open, submission, { observations, client, seen });
  const { score } = assessment;
  // Flags on trial are counted too: that is what they are on trial for.
  const flags = assessment.contributions.map(({ flag }) => flag);
  const decision = decideSubmission(site, score, open.challenge.interaction, hasClick(observations.behaviour));
  const nowMs = ports.clock.nowMs();
  const { host, actionName, requestId } = submission;
  const device = deviceClassOf(visitor.userAgent, visitor.riskHeaders);
  const solveMs = solveMsOf(observations.behaviour, nowMs - open.challenge.issuedAtMs);
  const [outcome] = await ports.challenges.spendMany([
    {
      siteKey: site.siteKey,
      siteRevision: site.revision,
      challengeId: open.challenge.id,
      keepUntilMs: challengeExpiresAtMs(open.challenge),
      nowMs,
      onSpent: judgedMetrics({ decision, score, flags, solveMs, device, country: visitor.country, host, actionName }),
    },
  ]);
  if (outcome === "site_changed") return outcome;
  if (outcome !== "spent") {
    // Every hash of a replay holds, so it is the dearest one to refuse: from the fourth on it is refused unhashed.
    recordFailure(ports, open);
    return askToRetry(ports, site);
  }
  curves.note();
  behaviour.note();
  noteDecision(ports, site, assessment, {
    atMs: nowMs,
    requestId,
    source: "widget",
    outcome: DECISION_OUTCOMES[decision],
    action: actionName ?? null,
    host,
    device,
    solveMs,
  });
  const wish = open.challenge.isFallback ? "continued" : "none";
  return await answerSpent(ports, site, submission, { decision, score, client, wish, nowMs });
}

type Spent = {
  readonly decision: Decision;
  readonly score: number;
  readonly client: string;
  readonly wish: FallbackWish;
  readonly nowMs: number;
};

async function answerSpent(
  ports: Ports,
  site: Site,
  submission: Submission,
  { decision, score, client, wish, nowMs }: Spent,
): Promise<SubmissionAnswer> {
  if (decision === "issue") return issueToken(ports, site, submission, { score, nowMs });
  const { actionName, visitor } = submission;
  ports.history.demandStepUp(site.siteKey, browserScope(ports.cryptography, visitor), nowMs + STEP_UP_MS);
  if (decision === "block") return { kind: "blocked" };
  const asked = { site, stage: "stepped_up", actionName, visitor, client, wish } as const;
  const issuing = await issueWithinBudget(ports, asked);
  return issuing.kind === "issued" ? { kind: "step_up", issued: issuing.issued } : issuing;
}

function issueToken(
  ports: Ports,
  site: Site,
  submission: Submission,
  judged: { score: number; nowMs: number },
): SubmissionAnswer {
  const { cryptography } = ports;
  const { visitor } = submission;
  const header = createTokenHeader(cryptography, judged.nowMs);
  const bindingKey = keyReference(header.keyId, "binding", header.issuedAtSeconds * 1000);
  const expiresAtMs = judged.nowMs + site.tokenLifeSeconds * 1000;
  const address = digestAddress(cryptography, bindingKey, visitor.bindingAddress);
  const network = networkName(address);
  if (network !== undefined) ports.trails.noteEarned(site.siteKey, network, judged.nowMs);
  const token = sealToken(cryptography, header, {
    siteKey: site.siteKey,
    mode: site.mode,
    expiresAtMs,
    challengeAtMs: judged.nowMs,
    score: judged.score,
    ...address,
    userAgentDigest: digestUserAgent(cryptography, bindingKey, visitor.userAgent),
    actionName: submission.actionName,
    cdata: submission.cdata,
    hostname: submission.host ?? "",
  });
  return { kind: "issued", token, expiresAtMs };
}
