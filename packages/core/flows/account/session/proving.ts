import type { Session } from "../../../domain/account/session.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { SignInRefusal } from "../sign-in/entering.ts";
import type { SignedIn } from "../signed-in.ts";

type Ports = Pick<ServicePorts, "clock" | "sessions">;

/** The session after its member has proven again who they are, as deleting and rotating require (D16). */
export type Proof = { readonly kind: "proven"; readonly session: Session } | SignInRefusal;

/** Records a fresh proof in the session. */
export async function recordProof(ports: Ports, { session }: SignedIn): Promise<Proof> {
  const nowMs = ports.clock.nowMs();
  await ports.sessions.touchSession(session.sessionId, { lastSeenAtMs: nowMs, provenAtMs: nowMs });
  return { kind: "proven", session: { ...session, lastSeenAtMs: nowMs, provenAtMs: nowMs } };
}
