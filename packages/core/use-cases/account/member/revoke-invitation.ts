import { mayManage } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";

/**
 * Revokes an open invitation of the account, by any maker. The caller needs the right to make one
 * like it.
 */
export async function revokeInvitation(
  ports: Pick<ServicePorts, "clock" | "links">,
  { member }: SignedIn,
  linkId: string,
): Promise<"revoked" | "not_found" | "not_allowed"> {
  const links = await ports.links.listLinks(member.accountId, ports.clock.nowMs());
  const link = links.find(
    (candidate) => candidate.linkId === linkId && candidate.purpose === "invite",
  );
  if (link === undefined) return "not_found";
  if (!mayManage(member.role, link.role)) return "not_allowed";
  const entry = accountEntry(ports, member, "invitation_revoked", { subject: link.role });
  return (await ports.links.removeLink(member.accountId, linkId, entry)) ? "revoked" : "not_found";
}
