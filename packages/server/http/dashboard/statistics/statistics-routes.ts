import { setImmediate as pause } from "node:timers/promises";
import { actorOf } from "@stile/core/domain/account/audit";
import { labelDecision } from "@stile/core/use-cases/statistics/label-decision";
import { listSites } from "@stile/core/use-cases/statistics/list-sites";
import { viewDecisions } from "@stile/core/use-cases/statistics/view-decisions";
import { viewInstall } from "@stile/core/use-cases/statistics/view-install";
import { viewOutcome } from "@stile/core/use-cases/statistics/view-outcome";
import { viewScores } from "@stile/core/use-cases/statistics/view-scores";
import {
  decisionsQuerySchema,
  labelSchema,
  rangeQuerySchema,
} from "@stile/protocol/schemas/dashboard";
import { ok, type RouteReply, refuse } from "../reply.ts";
import { type MemberCall, memberRoute, type Route } from "../route.ts";

/** How many decisions a page has. */
const PAGE_SIZE = 50;

function referenceOf(call: MemberCall & { readonly params: { readonly siteKey: string } }) {
  return { accountId: call.signedIn.member.accountId, siteKey: call.params.siteKey };
}

/** Undefined means that the account has no such site. */
function show(data: object | undefined): RouteReply {
  return data === undefined ? refuse("not_found") : ok(data);
}

const list = memberRoute({
  method: "GET",
  path: "sites",
  role: "viewer",
  handle: async ({ ports, signedIn }) =>
    ok(await listSites(ports, signedIn.member.accountId, pause)),
});

const outcome = memberRoute({
  method: "GET",
  path: "sites/:siteKey/outcome",
  role: "viewer",
  query: rangeQuerySchema,
  handle: async (call) => show(await viewOutcome(call.ports, referenceOf(call), call.query)),
});

const scores = memberRoute({
  method: "GET",
  path: "sites/:siteKey/scores",
  role: "viewer",
  query: rangeQuerySchema,
  handle: async (call) => show(await viewScores(call.ports, referenceOf(call), call.query)),
});

const decisions = memberRoute({
  method: "GET",
  path: "sites/:siteKey/decisions",
  role: "viewer",
  query: decisionsQuerySchema,
  handle: async (call) => {
    const { before: beforeId, ...filter } = call.query;
    return show(
      await viewDecisions(call.ports, referenceOf(call), { limit: PAGE_SIZE, beforeId, ...filter }),
    );
  },
});

const label = memberRoute({
  method: "PUT",
  path: "sites/:siteKey/decisions/:decisionId/label",
  role: "developer",
  body: labelSchema,
  handle: async (call) => {
    const { decisionId } = call.params;
    const reference = { ...referenceOf(call), actor: actorOf(call.signedIn.member) };
    const answer = await labelDecision(call.ports, reference, decisionId, call.body.label);
    return answer === "labelled" ? ok() : refuse(answer);
  },
});

const install = memberRoute({
  method: "GET",
  path: "sites/:siteKey/install",
  role: "viewer",
  handle: async (call) => show(await viewInstall(call.ports, referenceOf(call))),
});

/**
 * The list of sites with their figures, and the statistics of a site's visitors (spec 1, List
 * Sites, View Statistics).
 */
export const statisticsRoutes: readonly Route[] = [
  list,
  outcome,
  scores,
  decisions,
  label,
  install,
];
