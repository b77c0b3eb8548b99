import { changedMember, NO_SECOND_FACTOR } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { isDemandedLast } from "../../../services/account/second-factor/is-demanded-last.ts";

/**
 * Turns the authenticator app off, which is also `disabled` if it was off. If it was the last
 * second factor, the recovery codes go too. `demanded`: the account demands that a second factor
 * stays.
 */
export async function disableTotp(
  ports: Pick<ServicePorts, "clock" | "members">,
  { member }: SignedIn,
): Promise<"disabled" | "conflict" | "demanded"> {
  if (member.totp === null) return "disabled";
  if (await isDemandedLast(ports, { ...member, totp: null })) return "demanded";
  const left = member.passkeys.length > 0 ? { totp: null } : NO_SECOND_FACTOR;
  const after = changedMember(member, left);
  const entry = accountEntry(ports, member, "totp_disabled");
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  return outcome === "stored" ? "disabled" : "conflict";
}
