import type { Member } from "../../domain/member.ts";
import { type AccountPorts, accountEntry, type SignedIn } from "./steps/account-ports.ts";

/** Turns the authenticator app off; "disabled" too if none was on. */
export async function disableTotp(
  ports: Pick<AccountPorts, "clock" | "members">,
  { member }: SignedIn,
): Promise<"disabled" | "conflict"> {
  if (member.totp === null) return "disabled";
  const after: Member = { ...member, totp: null, revision: member.revision + 1 };
  const entry = accountEntry(ports, member, "totp_disabled");
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  return outcome === "stored" ? "disabled" : "conflict";
}
