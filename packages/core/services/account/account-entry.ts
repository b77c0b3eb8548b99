import type { AuditAction } from "@stile/protocol/dashboard-events";
import { type Actor, type AuditEntry, actorOf, type Change } from "../../domain/account/audit.ts";
import { changeMark, type RequestedChange } from "../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";

/** The member that an audit entry is about. */
type Subject = { readonly userId: string; readonly email: string; readonly accountId: string };

/** An audit entry about a member of the account; by default, `actor` is that member. */
export function accountEntry(
  ports: Pick<ServicePorts, "clock">,
  member: Subject,
  action: AuditAction,
  about: {
    subject?: string;
    changes?: readonly Change[];
    actor?: Actor;
    change?: RequestedChange | undefined;
  } = {},
): AuditEntry {
  return {
    accountId: member.accountId,
    atMs: ports.clock.nowMs(),
    actor: about.actor ?? actorOf(member),
    action,
    subject: about.subject ?? member.email,
    siteKey: null,
    changes: about.changes ?? [],
    ...changeMark(about.change),
  };
}
