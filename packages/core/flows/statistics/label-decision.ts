import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import type { AuditEntry } from "../../domain/account/audit.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference } from "../site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "decisions">;

/**
 * Writes down what a person says a decision was about, or takes it back, and who said so: weights are fitted to what labels say.
 * `not_found` too for another account's.
 */
export async function labelDecision(
  ports: Ports,
  reference: SiteReference,
  decisionId: string,
  label: DecisionLabel | null,
): Promise<"labelled" | "not_found"> {
  const site = await findOwnSite(ports, reference, false);
  if (site === undefined) return "not_found";
  const { accountId, siteKey, name } = site;
  const entry: AuditEntry = {
    ...{ accountId, siteKey, atMs: ports.clock.nowMs(), actor: reference.actor, action: "decision_labelled" },
    ...{ subject: `${decisionId} of ${name}`, changes: [] },
  };
  const isLabelled = await ports.decisions.setLabel({ siteKey, decisionId, label }, entry);
  return isLabelled ? "labelled" : "not_found";
}
