import { type Assessment, assess } from "@stile/risk/assess";
import type { SubmissionOutcome } from "../domain/challenge/decide-submission.ts";
import type { Site } from "../domain/site/site.ts";
import type { Metric } from "../domain/statistics/metrics.ts";
import { outcomeMetrics } from "../domain/statistics/solution-metrics.ts";
import { deviceClassOf } from "../domain/visitor/device-class.ts";
import type { ServicePorts } from "../ports/service-ports.ts";
import { recordDecision } from "../services/statistics/record-decision.ts";
import { clientScope } from "../services/visitor/client-scope.ts";
import { gatherNetworkEvidence } from "../services/visitor/network-evidence.ts";
import type { DelayRequest } from "./delay-request.ts";

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

/** A delay as its visitor submits it (D18, no JavaScript). */
export type DelaySubmission = Omit<DelayRequest, "host"> & {
  readonly delay: string;
  readonly host: string;
};

/**
 * Scores a visitor who waited, by their request and their network's history: nothing else was
 * observed (D18, no JavaScript).
 */
export function assessDelay(ports: Ports, site: Site, submission: DelaySubmission): Assessment {
  const { visitor, siteKey } = submission;
  const address = visitor.bindingAddress;
  const nowMs = ports.clock.nowMs();
  const client = clientScope(ports.cryptography, visitor.address);
  return assess(
    {
      headers: visitor.riskHeaders,
      userAgent: visitor.userAgent,
      isScriptless: true,
      ...gatherNetworkEvidence(ports, { scope: "submit", siteKey, client, address, nowMs }),
      history: {
        // A submission from another network was refused before.
        isAddressChanged: false,
        isAddressHidden: site.binding !== "off" && address === undefined,
      },
    },
    ports.settings.flagWeights,
  );
}

const deviceOf = ({ visitor }: DelaySubmission) =>
  deviceClassOf(visitor.userAgent, visitor.riskHeaders);

/** The metrics that are counted in the write that spends the delay. */
export function spentMetrics(
  submission: DelaySubmission,
  { score, contributions }: Assessment,
  outcome: SubmissionOutcome,
): readonly Metric[] {
  const { host, actionName, visitor } = submission;
  const flags = contributions.map(({ flag }) => flag);
  const device = deviceOf(submission);
  return outcomeMetrics({
    outcome,
    score,
    flags,
    device,
    host,
    actionName,
    country: visitor.country,
    solveMs: undefined,
  });
}

/** Records for the site's owner how the visitor was scored. */
export function recordDelay(
  ports: Pick<ServicePorts, "cryptography" | "decisions">,
  site: Site,
  submission: DelaySubmission,
  scored: {
    readonly assessment: Assessment;
    readonly outcome: SubmissionOutcome;
    readonly nowMs: number;
  },
): void {
  recordDecision(ports, site, scored.assessment, {
    atMs: scored.nowMs,
    requestId: submission.requestId,
    source: "no_script",
    outcome: scored.outcome === "issue" ? "token" : "blocked",
    action: submission.actionName ?? null,
    host: submission.host,
    device: deviceOf(submission),
    solveMs: null,
  });
}
