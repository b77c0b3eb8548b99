import { viewAudit } from "@stile/core/use-cases/account/view-audit";
import type { SystemData } from "@stile/protocol/dashboard-api";
import type { AuditData } from "@stile/protocol/dashboard-events";
import { auditQuerySchema } from "@stile/protocol/schemas/dashboard";
import { ok } from "../reply.ts";
import { memberRoute, type Route } from "../route.ts";

/** How many entries of the audit log a page has. */
const PAGE_SIZE = 50;

const audit = memberRoute({
  method: "GET",
  path: "audit",
  role: "admin",
  query: auditQuerySchema,
  handle: async ({ ports, signedIn, query }) => {
    const { accountId } = signedIn.member;
    // One more than is shown, to tell whether there is a next page.
    const page = {
      limit: PAGE_SIZE + 1,
      ...(query.before !== undefined && { beforeId: query.before }),
    };
    const found = await viewAudit(ports, accountId, page);
    const data: { entries: readonly AuditData[]; hasMore: boolean } = {
      entries: found.slice(0, PAGE_SIZE),
      hasMore: found.length > PAGE_SIZE,
    };
    return ok(data);
  },
});

const system = memberRoute({
  method: "GET",
  path: "system",
  role: "admin",
  handle: async ({ ports, baseUrl }) => {
    const { service } = ports;
    // Read first, for the moment of the call: the description may arrive only when the disk answers
    // again.
    const isStoreLate = service.isStoreLate();
    const { findings, ...store } = await service.describeStore();
    const data: SystemData = {
      version: service.version,
      node: process.versions.node,
      startedAtMs: service.startedAtMs,
      nowMs: ports.clock.nowMs(),
      store,
      isStoreLate,
      serviceKeys: await service.listServiceKeys(),
      baseUrl,
      isDemoOn: service.demoSiteKey !== null,
      securityEvents: ports.securityEvents.counts(),
      findings: service.diagnose({ ...store, findings }),
    };
    return ok(data);
  },
});

/** The audit log of the account, and the state of the service. */
export const systemRoutes: readonly Route[] = [audit, system];
