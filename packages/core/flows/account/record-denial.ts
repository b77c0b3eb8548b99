import type { AuditAction, SecurityEvent } from "@stile/protocol/dashboard-events";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry, type SignedIn } from "./signed-in.ts";

/** What a signed-in member was refused. */
export type Denial = Extract<
  SecurityEvent & AuditAction,
  "role_denied" | "proof_failed" | "proof_limited" | "changes_limited"
>;

/**
 * Tells of a member who was refused; `what` names the route of the dashboard that it was about, such as
 * `DELETE sites/:siteKey`, and holds nothing the member typed.
 */
export function recordDenial(
  { clock, securityEvents }: Pick<ServicePorts, "clock" | "securityEvents">,
  { member }: SignedIn,
  denial: Denial,
  what: string,
): void {
  securityEvents.record(denial, accountEntry({ clock }, member, denial, { subject: what }));
}
