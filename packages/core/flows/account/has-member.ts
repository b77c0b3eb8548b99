import type { AccountPorts } from "./steps/account-ports.ts";

/** Whether anybody can sign in: until then only a set-up link leads in. Once true it stays so, since an owner always remains. */
export async function hasMember(ports: Pick<AccountPorts, "members" | "sites">): Promise<boolean> {
  for (const { accountId } of await ports.sites.listAccounts()) {
    if ((await ports.members.listMembers(accountId)).length > 0) return true;
  }
  return false;
}
