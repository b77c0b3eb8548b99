import type { DecisionFilter, DecisionsData } from "@stile/protocol/dashboard-statistics";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { findOwnSite, type OwnSite } from "../site/own-site.ts";

type Ports = Pick<ServicePorts, "sites" | "decisions">;

/** A page of decisions, newest first; see `DecisionQuery`. */
export type DecisionsQuery = {
  /** Answers are limited to MAX_PAGE. */
  readonly limit: number;
  readonly beforeId?: string | undefined;
  readonly show?: DecisionFilter | undefined;
  readonly requestId?: string | undefined;
};

const MAX_PAGE = 100;

/** The site's latest decisions, with reasons, and refusals at the door; undefined if the account has no such site. */
export async function viewDecisions(
  ports: Ports,
  reference: OwnSite,
  query: DecisionsQuery,
): Promise<DecisionsData | undefined> {
  const site = await findOwnSite(ports, reference);
  if (site === undefined) return undefined;
  const limit = Math.min(Math.max(Math.floor(query.limit), 1), MAX_PAGE);
  const found = await ports.decisions.list({ ...query, siteKey: site.siteKey, limit: limit + 1 });
  const decisions = found.slice(0, limit).map(({ siteKey, ...decision }) => decision);
  return { decisions, hasMore: found.length > limit };
}
