import { type AccountPorts, accountEntry, type SignedIn } from "../account-ports.ts";

/** Ends all of the member's sessions but this one; answers how many. */
export async function revokeOtherSessions(
  ports: Pick<AccountPorts, "clock" | "sessions">,
  { member, session }: SignedIn,
): Promise<number> {
  const entry = accountEntry(ports, member, "session_revoked");
  return await ports.sessions.removeOtherSessions(member.userId, session.sessionId, entry);
}
