import type { Session } from "../../../domain/account/session.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import type { SignInRefusal } from "../sign-in/enter.ts";
import { admitProof } from "../sign-in/sign-in-limits.ts";
import type { OwnProofAnswer } from "./own-proof.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "sessions">;

/**
 * The session after its member has proven their identity again, as deleting and rotating require
 * (D16, operator).
 */
export type Proof = { readonly kind: "proven"; readonly session: Session } | SignInRefusal;

/**
 * Records a proof in the session, if `check` finds it right. Limited per session, in case it was
 * stolen.
 */
export async function proveSession(
  ports: Ports,
  { session }: SignedIn,
  check: () => Promise<OwnProofAnswer>,
): Promise<Proof> {
  const limit = admitProof(ports, session);
  if (!limit.isAdmitted) return { kind: "limited", limit };
  const proven = await check();
  if (proven.kind !== "proven") return proven;
  const nowMs = ports.clock.nowMs();
  await ports.sessions.touchSession(session.sessionId, { lastSeenAtMs: nowMs, provenAtMs: nowMs });
  return { kind: "proven", session: { ...session, lastSeenAtMs: nowMs, provenAtMs: nowMs } };
}
