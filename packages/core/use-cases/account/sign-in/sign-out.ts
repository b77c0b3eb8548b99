import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";

/** Ends the session. Its token is invalid from then on. */
export async function signOut(
  ports: Pick<ServicePorts, "clock" | "sessions">,
  { member, session }: SignedIn,
): Promise<void> {
  const entry = accountEntry(ports, member, "signed_out", { subject: session.device });
  await ports.sessions.removeSession(member.userId, session.sessionId, entry);
}
