import type { FieldProblem } from "@stile/protocol/dashboard-api";
import { findNameProblems, normalizeName } from "../../domain/account/credentials-rules.ts";
import type { SignedIn } from "../../domain/account/signed-in.ts";
import { withoutUnseen } from "../../domain/unseen.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry } from "../../services/account/account-entry.ts";

/** Outcome of renaming the account. */
export type RenameAccountAnswer =
  | { readonly kind: "renamed" }
  | { readonly kind: "invalid"; readonly problems: readonly FieldProblem[] };

/**
 * Renames the account. Invitations and all members' pages show the name; the rules for members'
 * names apply.
 */
export async function renameAccount(
  ports: Pick<ServicePorts, "clock" | "sites">,
  { member }: SignedIn,
  proposed: string,
): Promise<RenameAccountAnswer> {
  const name = normalizeName(withoutUnseen(proposed));
  const problems = findNameProblems(name);
  if (problems.length > 0) return { kind: "invalid", problems };
  const account = await ports.sites.findAccount(member.accountId);
  const changes = [{ field: "name", before: account?.name ?? "", after: name }];
  const entry = accountEntry(ports, member, "account_changed", { subject: name, changes });
  await ports.sites.renameAccount(member.accountId, name, entry);
  return { kind: "renamed" };
}
