import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { findPasswordProblems, normalizePassword } from "../../domain/credentials-rules.ts";
import { type AccountPorts, accountEntry, type SignedIn } from "./steps/account-ports.ts";
import { admitProof } from "./steps/sign-in-limits.ts";

/** Outcome of choosing a new password; `limited` if the session chose many, or too many hashes wait. */
export type ChangePasswordAnswer =
  | "changed"
  | "conflict"
  | "limited"
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/** Gives the member a new password and ends its other sessions, in one step. */
export async function changePassword(
  ports: AccountPorts,
  { member, session }: SignedIn,
  chosen: string,
): Promise<ChangePasswordAnswer> {
  const password = normalizePassword(chosen);
  const problems = findPasswordProblems(password, member, ports.cryptography.digest);
  if (problems.length > 0) return { kind: "invalid", problems };
  if (!admitProof(ports, session.sessionId).isAdmitted) return "limited";
  const passwordHash = await ports.passwords.hash(password);
  if (passwordHash === undefined) return "limited";
  const after = { ...member, passwordHash, revision: member.revision + 1 };
  const entry = accountEntry(ports, member, "password_changed");
  const outcome = await ports.members.replaceMember(after, member.revision, entry, session.sessionId);
  return outcome === "stored" ? "changed" : "conflict";
}
