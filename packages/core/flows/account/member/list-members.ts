import type { MembersData } from "@stile/protocol/dashboard-api";
import type { ServicePorts } from "../../../ports/service-ports.ts";

/** The account's members by name, and its invitations that nobody took up yet. */
export async function listMembers(
  ports: Pick<ServicePorts, "clock" | "members" | "links">,
  accountId: string,
): Promise<MembersData> {
  const members = await ports.members.listMembers(accountId);
  const links = await ports.links.listLinks(accountId, ports.clock.nowMs());
  return {
    members: members.map(({ userId, email, name, role, createdAtMs, lastSignInAtMs, totp, passkeys }) => ({
      ...{ userId, email, name, role, createdAtMs, lastSignInAtMs },
      hasTotp: totp !== null,
      passkeyCount: passkeys.length,
    })),
    invitations: links
      .filter(({ purpose }) => purpose === "invite")
      .map(({ linkId, role, expiresAtMs }) => ({ linkId, role, expiresAtMs })),
  };
}
