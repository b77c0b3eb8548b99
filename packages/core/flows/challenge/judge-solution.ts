import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import { type Assessment, assess, NOT_JUDGED, scoreWithout } from "@stile/risk/assess";
import {
  decideSubmission,
  hasClick,
  isLetThrough,
  type SubmissionOutcome,
} from "../../domain/challenge/decide-submission.ts";
import type { Decision } from "../../domain/statistics/decision.ts";
import { solveMsOf } from "../../domain/statistics/solve-times.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findLayout, honestVote, type LayoutVote } from "../layout/ask-layout.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { gatherNetworkEvidence, networkOf } from "../visitor/network-evidence.ts";
import type { RecalledVisit } from "../visitor/recall-visit.ts";
import { networkName } from "../visitor/visitor-digests.ts";
import type { RightSolution } from "./check-work.ts";
import { decideStanding, forgivenFlags } from "./fallback-terms.ts";
import { openReceipt } from "./receipt.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "siteLoad"
  | "tokenUsage"
  | "localLimiter"
  | "networkLists"
  | "layoutScenes"
  | "layoutVotes"
>;

/** The judgement of a correct solution. */
export type JudgedSolution = {
  readonly assessment: Assessment;
  readonly outcome: SubmissionOutcome;
  /** For a step-up: whether its only causes are a visitor hardly seen, or less work for want of WebAssembly (D9). */
  readonly lacksOnlyClick: boolean;
  /** Whether the solution had less work, and that does not count against it. */
  readonly isFallbackExcused: boolean;
  /** The client's name in this process's counters. */
  readonly client: string;
  /** The visit's vote about the bank, if nothing but its layouts could count against it. */
  readonly layoutVote: LayoutVote | undefined;
  readonly device: DeviceClass;
  readonly solveMs: number;
  readonly nowMs: number;
  /** The trusted bot that signed the submission, if any. */
  readonly signedAgent: Decision["signedAgent"];
};

/** Judges who sent a correct solution by what was observed, what is known of the network, and earlier visits. */
export function judgeSolution(
  ports: Ports,
  { site, open, hasMoved, submission }: RightSolution,
  observations: Observations,
  recalled: Pick<RecalledVisit, "evidence" | "isRefused">,
): JudgedSolution {
  const { visitor, solutionBytes } = submission;
  const { challenge } = open;
  const { userAgent, bindingAddress: address } = visitor;
  const nowMs = ports.clock.nowMs();
  const client = clientScope(ports.cryptography, visitor.address);
  const { signedAgent } = visitor;
  const elapsedMs = nowMs - challenge.issuedAtMs;
  const network = networkName(challenge) ?? client;
  const networks = hasMoved ? [network, networkOf(ports.cryptography, address, nowMs) ?? client] : [network];
  const fallback = decideStanding(ports, { challenge, networks, nowMs });
  const laidOut = findLayout(ports, { site, challenge, solutionBytes, userAgent, client, nowMs });
  const asked = { scope: "submit", siteKey: site.siteKey, client, address, nowMs } as const;
  const known = gatherNetworkEvidence(ports, asked);
  // Copied field by field, because merging objects of this size costs more than judging them.
  const judged = assess(
    {
      headers: visitor.riskHeaders,
      wire: visitor.wire,
      userAgent,
      environment: observations.environment,
      behaviour: observations.behaviour,
      solve: {
        elapsedMs,
        difficulty: challenge.difficulty,
        algorithm: challenge.algorithm,
        isFallback: challenge.isFallback,
        isFallbackExcused: fallback === "excused",
        interaction: challenge.interaction,
        asksEverybody: site.mode === "interactive",
        witness: openReceipt(ports.cryptography, challenge, submission.earlier),
      },
      layout: laidOut?.evidence,
      velocity: known.velocity,
      network: known.network,
      farm: known.farm,
      history: {
        ...recalled.evidence,
        isAddressChanged: hasMoved,
        isAddressHidden: site.binding !== "off" && address === undefined,
      },
    },
    ports.settings.flagWeights,
  );
  const decide = (score: number): SubmissionOutcome =>
    recalled.isRefused
      ? "block"
      : decideSubmission(site, score, challenge.interaction, hasClick(observations.behaviour));
  const isFree = isLetThrough(site, visitor);
  const assessment = isFree ? NOT_JUDGED : judged;
  const outcome = isFree ? "issue" : decide(assessment.score);
  return {
    assessment,
    outcome,
    signedAgent: signedAgent === undefined ? undefined : { name: signedAgent, isLetThrough: isFree },
    lacksOnlyClick: outcome === "step_up" && decide(scoreWithout(forgivenFlags(fallback), assessment)) === "issue",
    isFallbackExcused: fallback === "excused",
    client,
    layoutVote: isFree ? undefined : honestVote(judged, laidOut),
    device: deviceClassOf(userAgent, visitor.riskHeaders),
    solveMs: solveMsOf(observations.behaviour, elapsedMs),
    nowMs,
  };
}
