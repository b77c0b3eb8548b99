import type { MembersData } from "@stile/protocol/dashboard-api";
import { openInvitations } from "../../../domain/account/link.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** The account's members by name, and its open invitations. */
export async function listMembers(
  ports: Pick<ServicePorts, "clock" | "members" | "links">,
  accountId: string,
): Promise<MembersData> {
  const members = await ports.members.listMembers(accountId);
  const links = await ports.links.listLinks(accountId, ports.clock.nowMs());
  return {
    members: members.map((member) => ({
      userId: member.userId,
      email: member.email,
      name: member.name,
      role: member.role,
      createdAtMs: member.createdAtMs,
      lastSignInAtMs: member.lastSignInAtMs,
      hasTotp: member.totp !== null,
      passkeyCount: member.passkeys.length,
    })),
    invitations: openInvitations(links, members).map((link) => ({
      linkId: link.linkId,
      role: link.role,
      expiresAtMs: link.expiresAtMs,
      madeBy: members.find(({ userId }) => userId === link.madeBy)?.email ?? null,
    })),
  };
}
