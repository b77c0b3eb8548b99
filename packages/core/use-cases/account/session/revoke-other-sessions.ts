import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";

/** Ends all sessions of the member except this one; returns how many. */
export async function revokeOtherSessions(
  ports: Pick<ServicePorts, "clock" | "sessions">,
  { member, session }: SignedIn,
): Promise<number> {
  const entry = accountEntry(ports, member, "session_revoked");
  return await ports.sessions.removeOtherSessions(member.userId, session.sessionId, entry);
}
