import type { FieldProblem } from "@stile/protocol/dashboard-api";
import {
  findPasswordProblems,
  normalizePassword,
} from "../../../domain/account/credentials-rules.ts";
import { changedMember } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { type OwnProof, verifyOwnProof } from "../../../services/account/session/own-proof.ts";

type Ports = Pick<
  ServicePorts,
  "clock" | "cryptography" | "localLimiter" | "members" | "passwords" | "passkeyCeremonies"
>;

/** Outcome of choosing a new password; `wrong_credentials` if the current password is wrong. */
export type ChangePasswordAnswer =
  | "changed"
  | "conflict"
  | "limited"
  | "wrong_credentials"
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/**
 * Gives the member a new password. The same step ends their other sessions and a reset link, if
 * there is one. The current password is required each time, however fresh the session's proof is
 * (ASVS 5.0, 6.2.3); members without one use a passkey.
 */
export async function changePassword(
  ports: Ports,
  signedIn: SignedIn,
  { password: chosen, ...proof }: { readonly password: string } & OwnProof,
): Promise<ChangePasswordAnswer> {
  // The first request changed it. The current password in this repeat is no longer the current one.
  if (signedIn.change?.made !== undefined) return "changed";
  const password = normalizePassword(chosen);
  const problems = findPasswordProblems(password, signedIn.member, ports.cryptography.digest);
  if (problems.length > 0) return { kind: "invalid", problems };
  const proven = await verifyOwnProof(ports, signedIn, proof);
  if (proven.kind !== "proven") return proven.kind;
  const { member } = proven;
  const passwordHash = await ports.passwords.hash(password);
  if (passwordHash === undefined) return "limited";
  const after = changedMember(member, { passwordHash });
  const entry = accountEntry(ports, member, "password_changed", { change: signedIn.change });
  const outcome = await ports.members.replaceMember(
    after,
    member.revision,
    entry,
    signedIn.session.sessionId,
  );
  return outcome === "stored" ? "changed" : "conflict";
}
