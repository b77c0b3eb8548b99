import type { AuditData } from "@stile/protocol/dashboard-events";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** The account's audit log, newest first; `beforeId` selects the next page. */
export async function viewAudit(
  ports: Pick<ServicePorts, "auditLog">,
  accountId: string,
  page: { readonly limit: number; readonly beforeId?: number },
): Promise<readonly AuditData[]> {
  const entries = await ports.auditLog.list(accountId, page);
  return entries.map((entry) => ({
    entryId: entry.entryId,
    atMs: entry.atMs,
    actor: entry.actor.name,
    action: entry.action,
    subject: entry.subject,
    changes: entry.changes,
  }));
}
