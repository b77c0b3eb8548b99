import type { RiskEvidence, SolveEvidence } from "@stile/risk/evidence";
import type { FallbackStanding } from "../../domain/challenge/fallback-standing.ts";
import type { Observations } from "../../domain/visitor/visitor.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { gatherNetworkEvidence } from "../visitor/network-evidence.ts";
import type { RecalledVisit } from "../visitor/recall-visit.ts";
import type { CorrectSolution } from "./check-work.ts";
import { openReceipt } from "./receipt.ts";

type Ports = Pick<
  ServicePorts,
  "cryptography" | "siteLoad" | "tokenUsage" | "localLimiter" | "networkLists"
>;

/** The findings about a visit before it is scored. */
export type Findings = {
  readonly observations: Observations;
  readonly recalled: RecalledVisit["evidence"];
  readonly standing: FallbackStanding;
  /** The client's name in this process's counters. */
  readonly client: string;
  readonly nowMs: number;
};

/** Evidence of a visit that did the work. */
export type GatheredEvidence = RiskEvidence & { readonly solve: SolveEvidence };

/**
 * All the evidence for the score of a visit. Copied field by field: merging objects of this size
 * costs more than scoring them.
 */
export function gatherEvidence(
  ports: Ports,
  solution: CorrectSolution,
  findings: Findings,
): GatheredEvidence {
  const { site, submission, hasMoved } = solution;
  const { challenge } = solution.open;
  const { visitor } = submission;
  const { observations, recalled, standing, client, nowMs } = findings;
  const address = visitor.bindingAddress;
  const known = gatherNetworkEvidence(ports, {
    scope: "submit",
    siteKey: site.siteKey,
    client,
    address,
    nowMs,
  });
  return {
    headers: visitor.riskHeaders,
    wire: visitor.wire,
    userAgent: visitor.userAgent,
    environment: observations.environment,
    behaviour: observations.behaviour,
    solve: {
      elapsedMs: nowMs - challenge.issuedAtMs,
      difficulty: challenge.difficulty,
      algorithm: challenge.algorithm,
      isFallback: challenge.isFallback,
      isFallbackExcused: standing === "excused",
      interaction: challenge.interaction,
      asksEverybody: site.mode === "interactive",
      witness: openReceipt(ports.cryptography, challenge, submission.earlier),
    },
    velocity: known.velocity,
    network: known.network,
    farm: known.farm,
    history: {
      ...recalled,
      isAddressChanged: hasMoved,
      isAddressHidden: site.binding !== "off" && address === undefined,
    },
  };
}
