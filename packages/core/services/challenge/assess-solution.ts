import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { type Assessment, assess, NOT_JUDGED, scoreWithout, withShadows } from "@stile/risk/assess";
import {
  clickOf,
  decideSubmission,
  isLetThrough,
  type SubmissionOutcome,
} from "../../domain/challenge/decide-submission.ts";
import { recommend } from "../../domain/site/thresholds.ts";
import type { Decision } from "../../domain/statistics/decision.ts";
import { solveMsOf } from "../../domain/statistics/solve-times.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { networksOf } from "../visitor/changed-network.ts";
import { clientScope } from "../visitor/client-scope.ts";
import type { RecalledVisit } from "../visitor/recall-visit.ts";
import type { RightSolution } from "./check-work.ts";
import { gatherEvidence } from "./gather-evidence.ts";
import type { IssuingRequest } from "./issue-within-budget.ts";
import { decideStanding, forgivenFlags, wishAfter } from "./terms/fallback-terms.ts";

type Ports = Pick<
  ServicePorts,
  | "clock"
  | "cryptography"
  | "settings"
  | "siteLoad"
  | "tokenUsage"
  | "localLimiter"
  | "networkLists"
>;

/**
 * The flags that cost nothing beyond the press (D9): that nobody was seen, which it answers; and
 * two that keyboards and browsers without WebAssembly raise.
 */
const ANSWERED: readonly RiskFlag[] = ["low_evidence", "click_unplaced", "pow_fallback"];

/** The judgement of a correct solution. */
export type JudgedSolution = {
  readonly assessment: Assessment;
  readonly outcome: SubmissionOutcome;
  /**
   * What a step-up takes over from this solution. The work is done if its only causes are a visitor
   * hardly seen, or less work for want of WebAssembly (D9).
   */
  readonly stepUp: Pick<IssuingRequest, "isWorkDone" | "wish">;
  /** The client's name in this process's counters. */
  readonly client: string;
  readonly device: DeviceClass;
  readonly solveMs: number;
  readonly nowMs: number;
  /** The trusted bot that signed the submission, if any. */
  readonly signedAgent: Decision["signedAgent"];
};

/**
 * Judges who sent a correct solution by what was observed, what is known of the network, and
 * earlier visits.
 */
export function judgeSolution(
  ports: Ports,
  solution: RightSolution,
  observations: Observations,
  recalled: Pick<RecalledVisit, "evidence" | "isRefused">,
): JudgedSolution {
  const { cryptography, settings } = ports;
  const { site, submission } = solution;
  const { challenge } = solution.open;
  const { visitor } = submission;
  const { userAgent, signedAgent } = visitor;
  const nowMs = ports.clock.nowMs();
  const client = clientScope(cryptography, visitor.address);
  const networks = networksOf(
    cryptography,
    { challenge, visitor, hasMoved: solution.hasMoved },
    client,
    nowMs,
  );
  const standing = decideStanding(ports, { challenge, networks, nowMs });
  const findings = { observations, recalled: recalled.evidence, standing, client, nowMs };
  const assessed = assess(gatherEvidence(ports, solution, findings), settings.flagWeights);
  const click = clickOf(challenge.interaction, observations.behaviour);
  const otherwise = scoreWithout(ANSWERED, assessed);
  // A visitor who has paid is let in, so what the press answered must not block their token at
  // redemption either.
  const isPaid = challenge.stage === "priced" && recommend(otherwise, site.thresholds) !== "block";
  const isBlockedByAnswered = isPaid && recommend(assessed.score, site.thresholds) === "block";
  const judged = isBlockedByAnswered ? withShadows(ANSWERED, assessed) : assessed;
  const decide = (score: number): SubmissionOutcome =>
    recalled.isRefused
      ? "block"
      : decideSubmission(site, { score, otherwise, click, stage: challenge.stage });
  const isExempt = isLetThrough(site, visitor);
  const assessment = isExempt ? NOT_JUDGED : judged;
  const outcome = isExempt ? "issue" : decide(assessment.score);
  const isWorkDone =
    outcome === "step_up" && decide(scoreWithout(forgivenFlags(standing), assessment)) === "issue";
  return {
    assessment,
    outcome,
    stepUp: { isWorkDone, wish: wishAfter(standing, isWorkDone) },
    signedAgent:
      signedAgent === undefined ? undefined : { name: signedAgent, isLetThrough: isExempt },
    client,
    device: deviceClassOf(userAgent, visitor.riskHeaders),
    solveMs: solveMsOf(observations.behaviour, nowMs - challenge.issuedAtMs),
    nowMs,
  };
}
