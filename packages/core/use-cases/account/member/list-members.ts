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
    members: members.map(
      ({ userId, email, name, role, createdAtMs, lastSignInAtMs, totp, passkeys }) => ({
        ...{ userId, email, name, role, createdAtMs, lastSignInAtMs },
        hasTotp: totp !== null,
        passkeyCount: passkeys.length,
      }),
    ),
    invitations: openInvitations(links, members).map(({ linkId, role, expiresAtMs, madeBy }) => ({
      ...{ linkId, role, expiresAtMs },
      madeBy: members.find(({ userId }) => userId === madeBy)?.email ?? null,
    })),
  };
}
