import type { AuditAction, SecurityEvent } from "@stile/protocol/dashboard-events";
import type { Actor } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry } from "./account-entry.ts";

type Ports = Pick<ServicePorts, "clock" | "securityEvents">;

/** A person who tries to sign in is not known yet. */
const SOMEBODY: Actor = { userId: null, name: "somebody" };

/**
 * Records a refused sign-in; if its email exists, also in the audit log of that account. The caller
 * does not wait for that write, because the wait would reveal that the email exists.
 */
export function recordRefusedSignIn(
  { clock, securityEvents }: Ports,
  event: Extract<SecurityEvent & AuditAction, "sign_in_failed" | "sign_in_limited">,
  member: Member | undefined,
): void {
  securityEvents.record(
    event,
    member && accountEntry({ clock }, member, event, { actor: SOMEBODY }),
  );
}
