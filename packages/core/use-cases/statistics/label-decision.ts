import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type SiteReference, siteEntry } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "clock" | "sites" | "decisions">;

/**
 * Stores or removes a member's label of a decision, with who set it, since weights are fitted to
 * labels. Another account's decision is `not_found`.
 */
export async function labelDecision(
  ports: Ports,
  reference: SiteReference,
  decisionId: string,
  label: DecisionLabel | null,
): Promise<"labelled" | "not_found"> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return "not_found";
  const { siteKey, name } = site;
  const entry = siteEntry(ports, { actor: reference.actor, action: "decision_labelled" }, site);
  const named = { ...entry, subject: `${decisionId} of ${name}` };
  const isLabelled = await ports.decisions.setLabel({ siteKey, decisionId, label }, named);
  return isLabelled ? "labelled" : "not_found";
}
