import type { DecisionLabel } from "@stile/protocol/dashboard-statistics";
import type { Sites } from "../../ports/site/sites.ts";
import type { DecisionLog } from "../../ports/statistics/decision-log.ts";
import { findOwnSite, type OwnSite } from "../site/own-site.ts";

/** Writes down what a person says a decision was about, or takes it back; `not_found` too for another account's. */
export async function labelDecision(
  ports: { readonly sites: Sites; readonly decisions: DecisionLog },
  reference: OwnSite,
  decisionId: string,
  label: DecisionLabel | null,
): Promise<"labelled" | "not_found"> {
  const site = await findOwnSite(ports, reference, false);
  if (site === undefined) return "not_found";
  const isLabelled = await ports.decisions.setLabel({ siteKey: site.siteKey, decisionId, label });
  return isLabelled ? "labelled" : "not_found";
}
