import type { AuditAction, SecurityEvent } from "@stile/protocol/dashboard-events";
import type { Actor } from "../../domain/account/audit.ts";
import type { Member } from "../../domain/account/member.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry } from "./signed-in.ts";

type Ports = Pick<ServicePorts, "clock" | "securityEvents">;

/** Who tries to sign in is nobody yet. */
const SOMEBODY: Actor = { userId: null, name: "somebody" };

/**
 * Tells of a refused sign-in; of one at an email that exists, its account's audit log too. Nobody waits for the write: the
 * wait would tell the caller that it does.
 */
export function recordRefusedSignIn(
  { clock, securityEvents }: Ports,
  event: Extract<SecurityEvent & AuditAction, "sign_in_failed" | "sign_in_limited">,
  member: Member | undefined,
): void {
  securityEvents.record(event, member && accountEntry({ clock }, member, event, { actor: SOMEBODY }));
}
