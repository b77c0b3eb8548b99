import type { Session } from "../../../domain/account/member.ts";
import type { AccountPorts, SignedIn } from "../account-ports.ts";
import type { Refusal } from "../sign-in/entering.ts";

/** The session after its member proved again who it is (D16: deleting and rotating ask for it). */
export type Proof = { readonly kind: "proven"; readonly session: Session } | Refusal;

/** Notes a fresh proof of the session. */
export async function noteProof(ports: AccountPorts, { session }: SignedIn): Promise<Proof> {
  const nowMs = ports.clock.nowMs();
  await ports.sessions.touchSession(session.sessionId, { lastSeenAtMs: nowMs, provenAtMs: nowMs });
  return { kind: "proven", session: { ...session, lastSeenAtMs: nowMs, provenAtMs: nowMs } };
}
