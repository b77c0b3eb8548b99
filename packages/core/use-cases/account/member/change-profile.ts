import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { findChanges } from "../../../domain/account/audit.ts";
import {
  findProfileProblems,
  normalizeEmail,
  normalizeName,
} from "../../../domain/account/credentials-rules.ts";
import { changedMember, type Member } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { Limited } from "../../../domain/rate-window.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { admitNewEmail } from "../../../services/account/sign-in/sign-in-limits.ts";

/** The changed member, or why nothing was changed. */
export type ChangeProfileAnswer =
  | { readonly kind: "changed"; readonly member: Member }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] }
  | Limited
  | { readonly kind: "email_taken" | "conflict" };

/** Changes the member's own name, and the email they sign in with. */
export async function changeProfile(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "localLimiter" | "members">,
  { member }: SignedIn,
  proposed: { readonly name: string; readonly email: string },
): Promise<ChangeProfileAnswer> {
  const profile = { name: normalizeName(proposed.name), email: normalizeEmail(proposed.email) };
  // An unchanged address was valid once, though the rules for new ones may have become stricter
  // since.
  const isKept = profile.email === member.email;
  const problems = findProfileProblems(profile).filter(({ field }) => field !== "email" || !isKept);
  if (problems.length > 0) return { kind: "invalid", problems };
  const changes = findChanges({ name: member.name, email: member.email }, profile);
  if (changes.length === 0) return { kind: "changed", member };
  if (!isKept) {
    const limit = admitNewEmail(ports, "ofMember", member.userId);
    if (!limit.isAdmitted) return { kind: "limited", limit };
  }
  const after = changedMember(member, profile);
  const entry = accountEntry(ports, member, "profile_changed", { changes });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  if (outcome === "stored") return { kind: "changed", member: after };
  return { kind: outcome === "email_taken" ? "email_taken" : "conflict" };
}
