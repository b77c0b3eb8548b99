import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type OwnSite } from "../site/own-site.ts";

type Ports = Pick<ServicePorts, "sites" | "decisions">;

/** Writes down what a person says a decision was about, or takes it back; `not_found` too for another account's. */
export async function labelDecision(
  ports: Ports,
  reference: OwnSite,
  decisionId: string,
  label: DecisionLabel | null,
): Promise<"labelled" | "not_found"> {
  const site = await findOwnSite(ports, reference, false);
  if (site === undefined) return "not_found";
  const isLabelled = await ports.decisions.setLabel({ siteKey: site.siteKey, decisionId, label });
  return isLabelled ? "labelled" : "not_found";
}
