import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";

/** Ends one of the member's own sessions. */
export async function revokeSession(
  ports: Pick<ServicePorts, "clock" | "sessions">,
  { member }: SignedIn,
  sessionId: string,
): Promise<"revoked" | "not_found"> {
  const entry = accountEntry(ports, member, "session_revoked");
  return (await ports.sessions.removeSession(member.userId, sessionId, entry))
    ? "revoked"
    : "not_found";
}
