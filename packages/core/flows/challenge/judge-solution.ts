import type { DeviceClass } from "@stile/protocol/dashboard-statistics";
import { type Assessment, assess, scoreWithout } from "@stile/risk/assess";
import { decideSubmission, hasClick, type SubmissionOutcome } from "../../domain/challenge/submission.ts";
import type { Site } from "../../domain/site/site.ts";
import { solveMsOf } from "../../domain/statistics/solve-times.ts";
import { deviceClassOf } from "../../domain/visitor/device-class.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { clientScope } from "../visitor/client-scope.ts";
import { gatherNetworkEvidence } from "../visitor/network-evidence.ts";
import type { RecalledVisit } from "../visitor/recall-visit.ts";
import type { Submission } from "./check-work.ts";
import type { OpenChallenge } from "./sign-challenge.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "settings" | "siteLoad" | "tokenUsage" | "localLimiter" | "networkLists"
>;

/** A submission that a page of the site sent, and its challenge. */
export type RightSolution = {
  readonly site: Site;
  readonly open: OpenChallenge;
  readonly submission: Submission & { readonly host: string };
};

/** What a right solution came to. */
export type JudgedSolution = {
  readonly assessment: Assessment;
  readonly decision: SubmissionOutcome;
  /** Whether it is a step-up to which nothing led but that nobody was seen, so that a click alone is missing (D9). */
  readonly lacksOnlyClick: boolean;
  /** Name of the client in this process's counters. */
  readonly client: string;
  readonly device: DeviceClass;
  readonly solveMs: number;
  readonly nowMs: number;
};

/** Judges who brought a right solution, by what was observed, what is known of the network, and what earlier visits say. */
export function judgeSolution(
  ports: Ports,
  { site, open, submission }: RightSolution,
  observations: Observations,
  recalled: RecalledVisit["evidence"],
): JudgedSolution {
  const { visitor } = submission;
  const { challenge } = open;
  const address = visitor.bindingAddress;
  const nowMs = ports.clock.nowMs();
  const client = clientScope(ports.cryptography, visitor.address);
  const assessment = assess(
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
      ...gatherNetworkEvidence(ports, { scope: "submit", siteKey: site.siteKey, client, address, nowMs }),
      history: {
        ...recalled,
        isAddressChanged: (address?.family ?? 0) !== challenge.addressFamily,
        isAddressHidden: site.binding !== "off" && address === undefined,
      },
    },
    ports.settings.flagWeights,
  );
  const decide = (score: number): SubmissionOutcome =>
    decideSubmission(site, score, challenge.interaction, hasClick(observations.behaviour));
  const decision = decide(assessment.score);
  return {
    assessment,
    decision,
    lacksOnlyClick: decision === "step_up" && decide(scoreWithout("low_evidence", assessment)) === "issue",
    client,
    device: deviceClassOf(visitor.userAgent, visitor.riskHeaders),
    solveMs: solveMsOf(observations.behaviour, nowMs - challenge.issuedAtMs),
    nowMs,
  };
}
