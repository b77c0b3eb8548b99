import type { SessionData } from "@stile/protocol/dashboard-api";
import { sessionExpiresAtMs } from "../../../domain/account/session.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** The member's sessions that have not ended, the most recently used first. */
export async function listSessions(
  ports: Pick<ServicePorts, "clock" | "sessions">,
  { member, session: current }: SignedIn,
): Promise<readonly SessionData[]> {
  const nowMs = ports.clock.nowMs();
  const sessions = await ports.sessions.listSessions(member.userId);
  return sessions
    .filter((session) => nowMs < sessionExpiresAtMs(session))
    .map((session) => ({
      sessionId: session.sessionId,
      isCurrent: session.sessionId === current.sessionId,
      device: session.device,
      createdAtMs: session.createdAtMs,
      lastSeenAtMs: session.lastSeenAtMs,
      expiresAtMs: sessionExpiresAtMs(session),
    }));
}
