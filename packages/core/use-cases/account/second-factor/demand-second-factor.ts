import { hasSecondFactor } from "../../../domain/account/member.ts";
import type { SignedIn } from "../../../domain/account/signed-in.ts";
import type { ServicePorts } from "../../../ports/service-ports.ts";
import { accountEntry } from "../../../services/account/account-entry.ts";

/**
 * Sets whether the account demands a second factor from every member. A member who demands it must
 * have one, so that they do not lock themselves out. Sessions that may have begun with a password
 * alone end.
 */
export async function demandSecondFactor(
  ports: Pick<ServicePorts, "clock" | "members" | "sites">,
  { member, session }: SignedIn,
  isDemanded: boolean,
): Promise<"set" | "factor_missing"> {
  if (isDemanded && !hasSecondFactor(member)) return "factor_missing";
  const account = await ports.sites.findAccount(member.accountId);
  const changes = [{ field: "secondFactorDemanded", before: !isDemanded, after: isDemanded }];
  const entry = accountEntry(ports, member, "account_changed", {
    subject: account?.name ?? "",
    changes,
  });
  await ports.members.setSecondFactorDemand(member.accountId, isDemanded, session.sessionId, entry);
  return "set";
}
