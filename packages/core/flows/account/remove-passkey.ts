import type { Member } from "../../domain/member.ts";
import { type AccountPorts, accountEntry, type SignedIn } from "./steps/account-ports.ts";

/** Removes one of the member's own passkeys. */
export async function removePasskey(
  ports: Pick<AccountPorts, "clock" | "members">,
  { member }: SignedIn,
  passkeyId: string,
): Promise<"removed" | "not_found" | "conflict"> {
  const removed = member.passkeys.find((passkey) => passkey.passkeyId === passkeyId);
  if (removed === undefined) return "not_found";
  const passkeys = member.passkeys.filter((passkey) => passkey !== removed);
  const after: Member = { ...member, passkeys, revision: member.revision + 1 };
  const changes = [{ field: "passkey", before: removed.name, after: null }];
  const entry = accountEntry(ports, member, "passkey_removed", { changes });
  const outcome = await ports.members.replaceMember(after, member.revision, entry);
  return outcome === "stored" ? "removed" : "conflict";
}
