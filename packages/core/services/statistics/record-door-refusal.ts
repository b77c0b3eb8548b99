import type { DoorReason } from "@stile/protocol/dashboard-statistics";
import type { Site } from "../../domain/site/site.ts";
import { DECISION_ID_BYTES, toDecisionId } from "../../domain/statistics/decision.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "statistics" | "decisions">;

/** The request that may be refused. */
export type DoorRequest = {
  readonly requestId: string;
  readonly actionName: string | undefined;
  /** Host of the page; absent if the browser named none that is readable. */
  readonly host: string | null | undefined;
};

const REASONS: Readonly<Record<string, DoorReason>> = {
  domain_mismatch: "domain_mismatch",
  site_disabled: "site_disabled",
  limited: "rate_limited",
  retry: "solution_rejected",
};

/**
 * If the answer is a refusal, counts it and lists it for the site's owner; returns the answer. The
 * list is in memory with a bounded number, so that refusing stays cheap and a flood of refusals
 * fills no disk.
 */
export function recordDoorRefusal<Answer extends { readonly kind: string }>(
  ports: Ports,
  { siteKey }: Site,
  { requestId, actionName, host }: DoorRequest,
  answer: Answer,
): Answer {
  const reason = REASONS[answer.kind];
  if (reason === undefined) return answer;
  const atMs = ports.clock.nowMs();
  // Rejected solutions are counted where they are checked.
  if (reason !== "solution_rejected")
    ports.statistics.count({ siteKey, metric: `door:${reason}`, atMs });
  ports.decisions.append({
    siteKey,
    decisionId: toDecisionId(atMs, ports.cryptography.randomBytes(DECISION_ID_BYTES)),
    atMs,
    requestId,
    outcome: "refused",
    reason,
    action: actionName ?? null,
    host: host ?? null,
  });
  return answer;
}
