import { MOST_MEMBERS } from "@stile/protocol/limits";
import type { Role } from "@stile/protocol/roles";
import { mayManage } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";
import { makeLink, type NewLink } from "../../../services/account/link/make-link.ts";

/** The invitation to pass on. */
export type InviteAnswer =
  | ({ readonly kind: "invited" } & NewLink)
  | { readonly kind: "not_allowed" | "too_many_members" };

/**
 * Makes a link to join the account with that role. Only an owner may invite owners and admins. A
 * repeat replaces the link.
 */
export async function inviteMember(
  ports: Pick<ServicePorts, "clock" | "cryptography" | "links">,
  { member, change }: SignedIn,
  role: Role,
): Promise<InviteAnswer> {
  if (!mayManage(member.role, role)) return { kind: "not_allowed" };
  const { accountId, userId: madeBy } = member;
  const made = makeLink(
    ports,
    { purpose: "invite", accountId, userId: null, role, madeBy },
    change,
  );
  const entry = accountEntry(ports, member, "member_invited", { subject: role, change });
  const isStored = await ports.links.insertLink(made.link, entry, MOST_MEMBERS);
  return isStored ? { kind: "invited", ...made } : { kind: "too_many_members" };
}
