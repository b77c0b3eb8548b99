import { changedMember, hasSecondFactor } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { createRecoveryCodes } from "../../../services/account/second-factor/recovery-codes.ts";

/**
 * The codes, shown only this once. `factor_missing`: the member has no second factor that they
 * could replace.
 */
export type MakeRecoveryCodesAnswer =
  | { readonly kind: "made"; readonly codes: readonly string[] }
  | { readonly kind: "factor_missing" | "conflict" };

/**
 * Gives the member ten new recovery codes, and invalidates the old ones in the same step. A repeat
 * replaces the codes that nobody saw, and writes no second entry.
 */
export async function makeRecoveryCodes(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "members">,
  { member, change }: SignedIn,
): Promise<MakeRecoveryCodesAnswer> {
  if (!hasSecondFactor(member)) return { kind: "factor_missing" };
  const { codes, digests } = createRecoveryCodes(ports, member.userId);
  const after = changedMember(member, { recoveryCodes: digests });
  const entry = change?.made
    ? undefined
    : accountEntry(ports, member, "recovery_codes_made", { change });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  return outcome === "stored" ? { kind: "made", codes } : { kind: "conflict" };
}
