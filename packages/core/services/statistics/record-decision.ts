import type { Assessment } from "@stile/risk/assess";
import type { Site } from "../../domain/site/site.ts";
import { recommend } from "../../domain/site/thresholds.ts";
import {
  DECISION_ID_BYTES,
  type Decision,
  toDecisionId,
} from "../../domain/statistics/decision.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "cryptography" | "decisions">;

/** A scored visit, with the outcome. The rest of a decision follows from the assessment. */
export type ScoredRequest = Pick<
  Decision,
  | "atMs"
  | "requestId"
  | "source"
  | "outcome"
  | "action"
  | "host"
  | "device"
  | "solveMs"
  | "signedAgent"
>;

/** Logs a decision with its reasons, the heaviest first, for the account. */
export function recordDecision(
  ports: Ports,
  site: Site,
  assessment: Assessment,
  scored: ScoredRequest,
): void {
  ports.decisions.append({
    ...scored,
    siteKey: site.siteKey,
    decisionId: toDecisionId(scored.atMs, ports.cryptography.randomBytes(DECISION_ID_BYTES)),
    recommendation: recommend(assessment.score, site.thresholds),
    score: assessment.score,
    contributions: assessment.contributions.toSorted((a, b) => b.weight - a.weight),
    label: null,
  });
}
