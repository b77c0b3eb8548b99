import type { AuditAction, SecurityEvent } from "@stile/protocol/dashboard-events";
import type { SignedIn } from "../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry } from "../../services/account/account-entry.ts";

/** The kinds of refusals to a signed-in member. */
export type Denial = Extract<
  SecurityEvent & AuditAction,
  "role_denied" | "proof_failed" | "proof_limited" | "changes_limited"
>;

/**
 * Records that a member was refused. `what` names the dashboard's route, such as `DELETE
 * sites/:siteKey`, and contains nothing that the member typed.
 */
export function recordDenial(
  { clock, securityEvents }: Pick<ServicePorts, "clock" | "securityEvents">,
  { member }: SignedIn,
  denial: Denial,
  what: string,
): void {
  securityEvents.record(denial, accountEntry({ clock }, member, denial, { subject: what }));
}
