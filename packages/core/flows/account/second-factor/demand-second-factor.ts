import { hasSecondFactor } from "../../../domain/account/member.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry, type SignedIn } from "../signed-in.ts";

/**
 * Sets whether the account demands a second factor of each member. Who raises the demand must meet it: nobody locks
 * everybody in with a wall that they stand before themselves. Sessions that may have begun by a password alone end.
 */
export async function demandSecondFactor(
  ports: Pick<ServicePorts, "clock" | "members" | "sites">,
  { member, session }: SignedIn,
  isDemanded: boolean,
): Promise<"set" | "factor_missing"> {
  if (isDemanded && !hasSecondFactor(member)) return "factor_missing";
  const account = await ports.sites.findAccount(member.accountId);
  const changes = [{ field: "secondFactorDemanded", before: !isDemanded, after: isDemanded }];
  const entry = accountEntry(ports, member, "account_changed", { subject: account?.name ?? "", changes });
  await ports.members.setSecondFactorDemand(member.accountId, isDemanded, session.sessionId, entry);
  return "set";
}
