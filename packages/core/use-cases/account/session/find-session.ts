import { sessionExpiresAtMs } from "../../../domain/account/session.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { StoreUnavailable } from "../../../ports/store-unavailable.ts";
import { digestToken } from "../../../services/account/bearer-tokens.ts";

/** Activity is recorded at most this often: a write for each request would be costly. */
const NOTE_EVERY_MS = 60_000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * The member of the session with this token; undefined if it was ended, or its idle or absolute
 * life is over. The member is read each time, so that a new role applies from the next request on.
 */
export async function findSession(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "members" | "sessions">,
  token: string,
): Promise<SignedIn | undefined> {
  if (!TOKEN.test(token)) return undefined;
  const session = await ports.sessions.findSession(digestToken(ports.cryptography, token));
  const nowMs = ports.clock.nowMs();
  if (session === undefined || nowMs >= sessionExpiresAtMs(session)) return undefined;
  const member = await ports.members.findMember(session.userId);
  if (member === undefined) return undefined;
  if (nowMs - session.lastSeenAtMs < NOTE_EVERY_MS) return { member, session };
  try {
    await ports.sessions.touchSession(session.sessionId, { lastSeenAtMs: nowMs });
  } catch (error) {
    // People who come to see why nothing can be written must still get in.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
  return { member, session: { ...session, lastSeenAtMs: nowMs } };
}
