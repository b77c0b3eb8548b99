import type { DecisionsData } from "@stile/protocol/dashboard-statistics";
import type { ServicePorts } from "../../ports/service-ports.ts";
import type { DecisionQuery } from "../../ports/statistics/decision-log.ts";
import { findOwnSite, type OwnSite } from "../../services/site/own-site.ts";

type Ports = Pick<ServicePorts, "sites" | "decisions">;

/** The most entries of one answer. */
const MAX_PAGE = 100;

/**
 * The site's latest decisions with reasons, and its refusals; undefined if the account has no such
 * site.
 */
export async function viewDecisions(
  ports: Ports,
  reference: OwnSite,
  query: Omit<DecisionQuery, "siteKey">,
): Promise<DecisionsData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const limit = Math.min(Math.max(Math.floor(query.limit), 1), MAX_PAGE);
  const found = await ports.decisions.list({ ...query, siteKey: site.siteKey, limit: limit + 1 });
  const decisions = found.slice(0, limit).map(({ siteKey, ...decision }) => decision);
  return { decisions, hasMore: found.length > limit };
}
