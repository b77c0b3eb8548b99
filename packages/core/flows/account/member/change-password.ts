import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { findPasswordProblems, normalizePassword } from "../../../domain/account/credentials-rules.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { type OwnProof, verifyOwnProof } from "../session/own-proof.ts";
import { accountEntry, type SignedIn } from "../signed-in.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "passwords" | "passkeyCeremonies"
>;

/** Outcome of choosing a new password; `wrong_credentials` if the current one is not the member's. */
export type ChangePasswordAnswer =
  | "changed"
  | "conflict"
  | "limited"
  | "wrong_credentials"
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/**
 * Gives the member a new password and ends its other sessions, and the reset link that there may be for it, in one step. The
 * current password is asked for each time, however fresh the session's own proof is (ASVS 5.0, 6.2.3); a member without one proves
 * by a passkey.
 */
export async function changePassword(
  ports: Ports,
  signedIn: SignedIn,
  { password: chosen, ...proof }: { readonly password: string } & OwnProof,
): Promise<ChangePasswordAnswer> {
  const password = normalizePassword(chosen);
  const problems = findPasswordProblems(password, signedIn.member, ports.cryptography.digest);
  if (problems.length > 0) return { kind: "invalid", problems };
  const proven = await verifyOwnProof(ports, signedIn, proof);
  if (proven.kind !== "proven") return proven.kind;
  const { member } = proven;
  const passwordHash = await ports.passwords.hash(password);
  if (passwordHash === undefined) return "limited";
  const after = { ...member, passwordHash, revision: member.revision + 1 };
  const entry = accountEntry(ports, member, "password_changed");
  const outcome = await ports.members.replaceMember(after, member.revision, entry, signedIn.session.sessionId);
  return outcome === "stored" ? "changed" : "conflict";
}
